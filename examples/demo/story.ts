import type {Content, FunctionCall} from '@google/genai';
import {model} from '../../src/testing/build-request.ts';
import type {ScriptedReply} from '../../src/testing/script.ts';
import type {SourceTree} from './source-tree.ts';

/** What the user says in one turn, and what the scripted model does about it. */
export interface StoryTurn {
  readonly question: string;
  /** The question with a source file pasted below it: words that no elision takes away. */
  readonly text: string;
  /** One list of calls a step; several calls of a step are parallel. */
  readonly steps: readonly (readonly FunctionCall[])[];
  readonly answer: string;
}

/** Six turns about the package's own source. Depends on nothing but the files, so every run tells the same story. */
export function writeStory(source: SourceTree): StoryTurn[] {
  return [
    tellTurn(source, 'How is a request measured?', ['src/estimate', 'src/json'], 'tokens', 16),
    tellTurn(source, 'How does it decide what to elide and what to drop?', ['src/plan', 'src/request'], 'elide', 16),
    tellTurn(source, 'Where is all that kept, and what happens after a crash?', ['src/store'], 'revision', 16),
    tellTurn(source, 'How does a summary come about?', ['src/fold', 'src/calibrate'], 'summary', 16),
    tellTurn(source, 'Who puts the steps in order?', ['src/engine'], 'commit', 5),
    tellTurn(source, 'You were cut off. Say it in fewer steps.', ['src/adk'], 'beforeModel', 4),
  ];
}

/** The scripted model. It keeps no state: user text and last calls say where in the story it is, also after a crash. */
export function storyReply(story: readonly StoryTurn[], contents: readonly Content[]): ScriptedReply {
  const start = contents.findLastIndex((content) => story.some((turn) => turn.text === textOf(content)));
  const turn = story.find(({text}) => text === textOf(contents[start]));
  if (!turn) return model('I know no such question.');
  const lastCall = contents.slice(start).findLast((content) => callsOf(content).length > 0);
  const done = lastCall ? turn.steps.findIndex((step) => isSameCall(step[0], callsOf(lastCall)[0])) + 1 : 0;
  const next = turn.steps[done];
  return model(next ? next.map((functionCall) => ({functionCall})) : turn.answer);
}

function tellTurn(
  source: SourceTree,
  question: string,
  folders: readonly string[],
  word: string,
  stepCount: number,
): StoryTurn {
  const files = folders.flatMap((folder) => source.files(folder));
  const reads = files.flatMap((path) => pagesOf(source, path)).map((args) => ({name: 'read', args}));
  const steps: FunctionCall[][] = [
    folders.map((folder) => ({name: 'list', args: {folder}})),
    [{name: 'search', args: {text: word}}],
  ];
  while (steps.length < stepCount && reads.length > 0) {
    steps.push(reads.splice(0, steps.length % 2 === 1 ? 2 : 1));
  }
  const firstPages = files.map((path) => ({path, text: source.page(path, 1)}));
  const [open, heart] = firstPages.sort((one, other) => other.text.length - one.text.length);
  return {
    question,
    text: `${question} I have ${open?.path} open:\n\n${open?.text}`,
    steps,
    answer: `It took ${steps.length} steps to see. The heart of it is ${heart?.path}:\n\n${heart?.text}`,
  };
}

function pagesOf(source: SourceTree, path: string): {path: string; page: number}[] {
  return Array.from({length: source.pageCount(path)}, (_, index) => ({path, page: index + 1}));
}

function textOf(content: Content | undefined): string | undefined {
  return content?.role === 'user' ? content.parts?.[0]?.text : undefined;
}

function callsOf(content: Content): FunctionCall[] {
  return (content.parts ?? []).flatMap((part) => part.functionCall ?? []);
}

function isSameCall(one: FunctionCall | undefined, other: FunctionCall | undefined): boolean {
  return one?.name === other?.name && JSON.stringify(one?.args) === JSON.stringify(other?.args);
}
