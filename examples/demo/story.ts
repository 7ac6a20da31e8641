import type {Content, FunctionCall} from '@google/genai';
import {model} from '../../src/testing/build-request.ts';
import type {ScriptedReply} from '../../src/testing/script.ts';
import {pageCount, pageText, sourceFiles} from './tools.ts';

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
export function writeStory(): StoryTurn[] {
  return [
    tellTurn('How is a request measured?', ['src/estimate', 'src/json'], 'tokens', 16),
    tellTurn('How does it decide what to elide and what to drop?', ['src/plan', 'src/request'], 'elide', 16),
    tellTurn('Where is all that kept, and what happens after a crash?', ['src/store'], 'revision', 16),
    tellTurn('How does a summary come about?', ['src/fold', 'src/calibrate'], 'summary', 16),
    tellTurn('Who puts the steps in order?', ['src/engine'], 'commit', 5),
    tellTurn('You were cut off. Say it in fewer steps.', ['src/adk'], 'beforeModel', 4),
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

function tellTurn(question: string, folders: readonly string[], word: string, stepCount: number): StoryTurn {
  const look = folders.map((folder) => ({name: 'list', args: {folder}}));
  const reads = folders.flatMap(pagesOf).map((args) => ({name: 'read', args}));
  const steps: FunctionCall[][] = [look, [{name: 'search', args: {text: word}}]];
  while (steps.length < stepCount && reads.length > 0) {
    steps.push(reads.splice(0, steps.length % 2 === 1 ? 2 : 1));
  }
  const [longest = '', runnerUp = ''] = folders.flatMap((folder) => sourceFiles(folder)).sort(byFirstPage);
  return {
    question,
    text: `${question} I have ${longest} open:\n\n${pageText(longest, 1)}`,
    steps,
    answer: `It took ${steps.length} steps to see. The heart of it is ${runnerUp}:\n\n${pageText(runnerUp, 1)}`,
  };
}

/** Longest first page first. */
function byFirstPage(one: string, other: string): number {
  return pageText(other, 1).length - pageText(one, 1).length;
}

function pagesOf(folder: string): {path: string; page: number}[] {
  return sourceFiles(folder).flatMap((path) =>
    Array.from({length: pageCount(path)}, (_, index) => ({path, page: index + 1})),
  );
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
