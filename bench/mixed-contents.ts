import type {Content, Part} from '@google/genai';

/** A small seeded generator (mulberry32): the same numbers in every run. */
export function seededRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

const PROSE =
  'The service answered after the second attempt, so the agent read the log once more and looked for the first line that names the request. ';
const CODE =
  "export function parse(line: string): Entry {\n  const [time, level, ...rest] = line.split('\\t');\n  return {time, level};\n}\n";

/** Contents of a tool loop: 40 % tool answers of 4 to 40 KB, half of them objects and half of them text; calls and prose. */
export function mixedContents(count: number, seed = 1): Content[] {
  const random = seededRandom(seed);
  return Array.from({length: count}, (_, index) => mixedContent(index, random));
}

function mixedContent(index: number, random: () => number): Content {
  switch (index % 5) {
    case 0:
      return {role: 'user', parts: [{text: repeat(PROSE, 200 + random() * 800)}]};
    case 1:
    case 3:
      return {role: 'model', parts: [{text: repeat(PROSE, 100)}, call(index)]};
    default: {
      const bytes = 4_000 + random() * 36_000;
      const response = random() < 0.5 ? {output: repeat(CODE, bytes)} : {rows: rows(bytes / 100, random)};
      return {role: 'user', parts: [{functionResponse: {id: `adk-${index - 1}`, name: 'read_file', response}}]};
    }
  }
}

function call(index: number): Part {
  return {
    functionCall: {
      id: `adk-${index}`,
      name: 'read_file',
      args: {path: `src/module-${index}/index.ts`, startLine: index, limit: 200},
    },
  };
}

/** Code with line numbers, each text with numbers of its own. */
export function mixedText(bytes: number, seed: number): string {
  const random = seededRandom(seed);
  let text = '';
  while (text.length < bytes) {
    text += `${Math.floor(random() * 1e6)} ${CODE}`;
  }
  return Buffer.from(text.slice(0, bytes)).toString();
}

/** Rows of a table, about 100 bytes of JSON each. */
export function tableRows(bytes: number, seed: number): object[] {
  return rows(bytes / 100, seededRandom(seed));
}

function rows(count: number, random: () => number): object[] {
  return Array.from({length: Math.round(count)}, (_, id) => ({
    id,
    name: `Überschrift ${id}`,
    price: Math.round(random() * 1e4) / 100,
    tags: ['new', 'sale'],
    active: random() < 0.5,
    note: null,
  }));
}

function repeat(text: string, length: number): string {
  return Buffer.from(text.repeat(Math.ceil(length / text.length)).slice(0, length)).toString();
}
