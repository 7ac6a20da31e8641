import {join} from 'node:path';
import {filePieces, markdownProse, proseByLanguage} from './found.ts';
import {generate, MAKERS} from './generated.ts';

/** Texts of one kind, cut to pieces of 1 to 6 kB. */
export interface Kind {
  readonly name: string;
  readonly files: readonly string[];
}

/** The two halves of a kind: what the weights are fitted on, and what they are tested on. */
export interface Halves {
  readonly fitted: readonly string[];
  readonly heldOut: readonly string[];
}

const FILES_PER_KIND = 24;

const FOUND: readonly (readonly [name: string, folder: string, matches: RegExp])[] = [
  ['TypeScript', '.', /(?<!\.d)\.ts$/u],
  ['TypeScript, declarations', '@google', /\.d\.ts$/u],
  ['JavaScript', '.', /\/(?!dist).*(?<!\.min|-min)\.js$/u],
  ['JavaScript, minified', '.', /\.min\.js$/u],
  ['C', 'better-sqlite3/deps/sqlite3', /\.[ch]$/u],
  ['C++', 'better-sqlite3/src', /\.[ch]pp$/u],
  ['Python', 'node-gyp', /\.py$/u],
  ['Java', '@capacitor/android', /\.java$/u],
  ['Swift', '@capacitor/ios', /\.swift$/u],
  ['CSS', '.', /\.css$/u],
  ['Markdown', '.', /readme\.md$/iu],
  ['JSON, package files', '.', /\/package\.json$/u],
  ['JSON, source maps', '.', /\.js\.map$/u],
];

/**
 * The texts the weights are fitted on: prose, code and files found in the packages below this `node_modules`, and generated
 * tool output.
 */
export function readCorpus(packages: string): Kind[] {
  const english = markdownProse(packages, FILES_PER_KIND);
  const words = {common: commonWords(english), running: english.join(' ').split(/\s+/u)};
  const prose = proseByLanguage(packages);
  prose.set('English', [...english, ...(prose.get('English') ?? [])]);
  return [
    ...[...prose].map(([language, files]) => ({name: `prose, ${language}`, files})),
    ...FOUND.map(([name, folder, matches]) => ({
      name,
      files: filePieces(join(packages, folder), matches, FILES_PER_KIND, name === 'C' ? 12 : 2),
    })),
    ...Object.keys(MAKERS).map((name) => ({name, files: generate(name, words, FILES_PER_KIND)})),
  ];
}

export function halves({files}: Kind): Halves {
  return {fitted: files.filter((_, index) => index % 2 === 0), heldOut: files.filter((_, index) => index % 2 === 1)};
}

function commonWords(texts: readonly string[]): string[] {
  const counts = new Map<string, number>();
  for (const text of texts) {
    for (const [word] of text.matchAll(/\b[a-z]{3,12}\b/gu)) {
      counts.set(word, (counts.get(word) ?? 0) + 1);
    }
  }
  return [...counts]
    .sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1))
    .slice(0, 1_500)
    .map(([word]) => word);
}
