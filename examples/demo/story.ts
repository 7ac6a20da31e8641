import type {Content, FunctionCall} from '@google/genai';
import {model} from '../../src/testing/build-request.ts';
import type {ScriptedReply} from '../../src/testing/script.ts';
import type {SourceTree} from './source-tree.ts';

const PAGES_PASTED = 4;

/** What the user says in one turn, and what the scripted model does about it. */
export interface StoryTurn {
  readonly question: string;
  /** The question with pages of the source pasted below it: words that no elision takes away. */
  readonly text: string;
  /** One list of calls a step; several calls of a step are parallel. */
  readonly steps: readonly (readonly FunctionCall[])[];
  readonly answer: string;
}

/**
 * Turns about the package's own source, the last one for after a crash. Depends on nothing but the files, so every run
 * tells the same story: four turns of many steps, in which eliding goes a long way, then turns of few steps and many
 * words, which only a summary can shorten.
 */
export function writeStory(source: SourceTree): StoryTurn[] {
  const long = (question: string, folder: string, word: string): StoryTurn =>
    tellTurn(source, {question, folder, word, readSteps: 8, pagesAStep: 2});
  const short = (question: string, folder: string, word: string): StoryTurn =>
    tellTurn(source, {question, folder, word, readSteps: 2, pagesAStep: 3});
  return [
    long('How is a request measured?', 'src/estimate', 'tokens'),
    long('What decides which answers are elided?', 'src/plan', 'elide'),
    long('How does a summary come about?', 'src/fold', 'summary'),
    long('Where is all that kept?', 'src/store', 'record'),
    short('Who puts the steps in order?', 'src/engine', 'commit'),
    short('Where does ADK come in?', 'src/adk', 'event'),
    short('How is it tested without a model?', 'src/testing', 'script'),
    short('What happens when a summary fails?', 'src/fold', 'error'),
    short('And what after a crash?', 'src/store', 'transaction'),
    short('How are pictures counted?', 'src/estimate', 'media'),
    short('What keeps calls and answers together?', 'src/plan', 'answer'),
    short('You were cut off. Say it again.', 'src/json', 'canonical'),
  ];
}

/** The scripted model. It keeps no state: user text and last calls say where in the story it is, also after a crash. */
export function storyReply(story: readonly StoryTurn[], contents: readonly Content[]): ScriptedReply {
  const start = contents.findLastIndex((content) => story.some((turn) => turn.text === textOf(content)));
  const turn = story.find(({text}) => text === textOf(contents[start]));
  if (!turn) {
    return model('I know no such question.');
  }
  const lastCall = contents.slice(start).findLast((content) => callsOf(content).length > 0);
  const done = lastCall ? turn.steps.findIndex((step) => isSameCall(step[0], callsOf(lastCall)[0])) + 1 : 0;
  const next = turn.steps[done];
  return model(next ? next.map((functionCall) => ({functionCall})) : turn.answer);
}

/** The scripted summariser: what the user asked and which files were read, in the record or by an earlier summary of it. */
export function storySummary(story: readonly StoryTurn[], contents: readonly Content[]): ScriptedReply {
  const record = contents.map(textOf).join('\n');
  const asked = story.map(({question}) => question).filter((question) => record.includes(question));
  const paths = story.flatMap(({steps}) => steps.flat().flatMap(({args}) => (args?.path ? String(args.path) : [])));
  const read = [...new Set(paths)].filter((path) => record.includes(path));
  return model(`The user asked, latest first: ${asked.reverse().join(' ')}\nFiles read: ${read.join(', ')}.`);
}

interface TurnOutline {
  readonly question: string;
  /** What is listed. */
  readonly folder: string;
  /** What is searched for; the files that mention it most are read. */
  readonly word: string;
  readonly readSteps: number;
  readonly pagesAStep: number;
}

/** All pages are full ones, so a turn keeps its weight when the source changes. */
function tellTurn(source: SourceTree, {question, folder, word, readSteps, pagesAStep}: TurnOutline): StoryTurn {
  const mentions = (path: string): number => source.lines(path).filter((line) => line.includes(word)).length;
  const files = source.files().toSorted((one, other) => mentions(other) - mentions(one));
  const pages = files.flatMap((path) =>
    Array.from({length: source.fullPageCount(path)}, (_, index) => ({path, page: index + 1})),
  );
  const reads = pages.map((args) => ({name: 'read', args}));
  const lookAround = [
    {name: 'list', args: {folder}},
    {name: 'search', args: {text: word}},
  ];
  const readings = Array.from({length: readSteps}, () => reads.splice(0, pagesAStep));
  const excerpt = pages
    .slice(0, PAGES_PASTED)
    .map(({path, page}) => source.page(path, page))
    .join('\n');
  return {
    question,
    text: `${question} Here is what I have open:\n\n${excerpt}`,
    steps: [lookAround, ...readings],
    answer: `Look at ${files[0]} first. It comes down to this:\n\n${excerpt}`,
  };
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
