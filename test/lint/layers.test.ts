import {execFile} from 'node:child_process';
import {cpSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {dirname, join} from 'node:path';
import {fileURLToPath} from 'node:url';
import {describe, expect, it} from 'vitest';

const repository = fileURLToPath(new URL('../..', import.meta.url));

/** What each folder may import, one specifier per neighbour, and what it may not. */
const LAYERS: Record<string, {allowed: string[]; forbidden: string[]}> = {
  '.': {
    allowed: ['./errors.ts', './estimator-name.ts', './session-key.ts', 'zod'],
    forbidden: [
      './index.ts',
      './sqlite.ts',
      './testing.ts',
      './json/a.ts',
      './store/records.ts',
      './store/sqlite/a.ts',
    ],
  },
  json: {
    allowed: ['./a.ts', '../errors.ts', 'node:crypto'],
    forbidden: ['../policy.ts', '../request/a.ts', '../plan/a.ts', '../store/records.ts', '../index.ts'],
  },
  request: {
    allowed: ['./a.ts', '../json/a.ts'],
    forbidden: ['../errors.ts', '../estimate/a.ts', '../plan/a.ts', '../store/records.ts', '../index.ts'],
  },
  estimate: {
    allowed: ['./a.ts', '../estimator-name.ts', '../json/a.ts', '../request/a.ts'],
    forbidden: [
      '../policy.ts',
      '../store/records.ts',
      '../store/compaction-store.ts',
      '../calibrate/a.ts',
      '../plan/a.ts',
      '../fold/a.ts',
      '../engine/a.ts',
      '../index.ts',
    ],
  },
  calibrate: {
    allowed: ['./a.ts', '../estimator-name.ts'],
    forbidden: ['../json/a.ts', '../estimate/a.ts', '../store/compaction-store.ts', '../policy.ts', '../index.ts'],
  },
  plan: {
    allowed: ['./a.ts', '../policy.ts', '../json/a.ts', '../request/a.ts', '../estimate/a.ts', '../store/records.ts'],
    forbidden: [
      '../store/sqlite/a.ts',
      '../fold/a.ts',
      '../calibrate/a.ts',
      '../engine/a.ts',
      '../adk/a.ts',
      '../sqlite.ts',
    ],
  },
  fold: {
    allowed: ['../errors.ts', '../json/a.ts', '../request/a.ts', '../estimate/a.ts', '../store/compaction-store.ts'],
    forbidden: ['../plan/a.ts', '../engine/a.ts', '../store/memory-compaction-store.ts', '../store/sqlite/a.ts'],
  },
  store: {
    allowed: [
      './records.ts',
      './sqlite/a.ts',
      '../errors.ts',
      '../estimator-name.ts',
      '../session-key.ts',
      '../json/a.ts',
      'drizzle-orm',
    ],
    forbidden: ['../request/a.ts', '../plan/a.ts', '../engine/a.ts', '../adk/a.ts', '../sqlite.ts'],
  },
  'store/sqlite': {
    allowed: [
      './a.ts',
      '../records.ts',
      '../../errors.ts',
      '../../options.ts',
      '../../package-root.ts',
      'better-sqlite3',
    ],
    forbidden: ['../../request/a.ts', '../../engine/a.ts', '../../adk/a.ts', '../../sqlite.ts'],
  },
  engine: {
    allowed: ['../policy.ts', '../plan/a.ts', '../fold/a.ts', '../calibrate/a.ts', '../store/compaction-store.ts'],
    forbidden: [
      '../store/memory-compaction-store.ts',
      '../store/sqlite/a.ts',
      '../adk/a.ts',
      '../testing/a.ts',
      '../index.ts',
    ],
  },
  adk: {
    allowed: ['../engine/a.ts', '../store/memory-compaction-store.ts', '../store/sqlite/a.ts', '../json/a.ts'],
    forbidden: ['../testing/a.ts', '../index.ts', '../sqlite.ts'],
  },
  replay: {
    allowed: ['./a.ts', '../engine/a.ts', '../fold/a.ts', '../estimate/a.ts', '../policy.ts', '../store/records.ts'],
    forbidden: ['../store/sqlite/a.ts', '../adk/a.ts', '../report/a.ts', '../cli/a.ts', '../index.ts'],
  },
  report: {
    allowed: ['./a.ts', '../replay/a.ts', '../estimate/a.ts', '../calibrate/a.ts', '../store/records.ts'],
    forbidden: ['../store/sqlite/a.ts', '../adk/a.ts', '../engine/a.ts', '../cli/a.ts', '../index.ts'],
  },
  'report/browser': {
    allowed: ['./a.ts', '../view.ts', '../number-text.ts', 'uplot'],
    forbidden: ['../page.ts', '../view-model.ts', 'node:fs'],
  },
  cli: {
    allowed: ['./a.ts', '../replay/a.ts', '../report/a.ts', '../store/sqlite/a.ts', '../adk/a.ts', '../policy.ts'],
    forbidden: ['../testing/a.ts', '../index.ts', '../sqlite.ts', '../cli.ts'],
  },
  testing: {
    allowed: ['../adk/a.ts', '../store/compaction-store.ts', '../json/a.ts'],
    forbidden: ['../index.ts', '../sqlite.ts', '../testing.ts'],
  },
};

/** Ways to name ADK, and whether each loads it. */
const ADK_IMPORTS: [line: string, loads: boolean][] = [
  ["import type {LlmRequest} from '@google/adk';\nexport type It = LlmRequest;", false],
  ["export type {LlmRequest} from '@google/adk';", false],
  ["export const text = 'a text about @google/adk';", false],
  ["import {LlmAgent} from '@google/adk';\nexport const it = LlmAgent;", true],
  ["import {type LlmRequest, LlmAgent} from '@google/adk';\nexport const it: [LlmRequest?] = [];", true],
  ["import '@google/adk';", true],
  ["export {LlmAgent} from '@google/adk';", true],
  ["export const load = (): Promise<unknown> => import('@google/adk');", true],
];
const ADK_FOLDERS = ['adk', 'testing'];

/** A file that the linter reads, and what the repository's rules should say about it. */
interface Case {
  readonly folder: string;
  readonly line: string;
  readonly verdict: string;
}

const importCases: Case[] = Object.entries(LAYERS).flatMap(([folder, {allowed, forbidden}]) => [
  ...allowed.map((specifier) => ({folder, line: `import type {It} from '${specifier}';`, verdict: 'passes'})),
  ...forbidden.map((specifier) => ({
    folder,
    line: `import type {It} from '${specifier}';`,
    verdict: 'lint/style/noRestrictedImports',
  })),
]);

const adkCases: Case[] = [
  ...ADK_IMPORTS.map(([line, loads]) => ({folder: 'engine', line, verdict: loads ? 'plugin' : 'passes'})),
  ...Object.keys(LAYERS).map((folder) => ({
    folder,
    line: "import '@google/adk';",
    verdict: ADK_FOLDERS.includes(folder) ? 'passes' : 'plugin',
  })),
];

const ruleCases: Case[] = [
  {folder: 'json', line: 'export default 1;', verdict: 'lint/style/noDefaultExport'},
  {folder: 'json', line: "export {it} from './a.ts';", verdict: 'lint/performance/noBarrelFile'},
  {
    folder: 'json',
    line: 'const wait = async (): Promise<void> => {};\nwait();',
    verdict: 'lint/nursery/noFloatingPromises',
  },
  {
    folder: 'json',
    line: 'export const each = (ids: string[]): void => ids.forEach(async () => {});',
    verdict: 'lint/nursery/noMisusedPromises',
  },
  {
    folder: 'json',
    line: "export function f(kind: 'a' | 'b'): void {\n  switch (kind) {\n    case 'a':\n      return;\n  }\n}",
    verdict: 'lint/nursery/useExhaustiveSwitchCases',
  },
];

const cases = [...importCases, ...adkCases, ...ruleCases];
const complaints = await lint(cases);

/** Writes each case to a file of its own beside a copy of the rules and runs the linter once: errors by case. */
async function lint(all: readonly Case[]): Promise<Map<Case, Set<string>>> {
  const root = mkdtempSync(join(tmpdir(), 'adk-compaction-lint-'));
  try {
    for (const name of ['biome.json', '.gitignore', 'lint']) {
      cpSync(join(repository, name), join(root, name), {recursive: true});
    }
    const byPath = new Map(all.map((one, index) => [join('src', one.folder, `case-${index}.ts`), one]));
    for (const [path, {line}] of byPath) {
      mkdirSync(dirname(join(root, path)), {recursive: true});
      writeFileSync(join(root, path), `${line}\n`);
    }
    const found = new Map(all.map((one) => [one, new Set<string>()]));
    for (const {severity, category, location} of await diagnostics(root)) {
      const one = byPath.get(location.path);
      if (one && severity === 'error') {
        found.get(one)?.add(category);
      }
    }
    return found;
  } finally {
    rmSync(root, {recursive: true, force: true});
  }
}

interface Diagnostic {
  readonly severity: string;
  readonly category: string;
  readonly location: {readonly path: string};
}

function diagnostics(root: string): Promise<Diagnostic[]> {
  const biome = join(repository, 'node_modules/.bin/biome');
  const args = ['lint', '--reporter=json', '--max-diagnostics=none', '.'];
  return new Promise((resolve) => {
    execFile(biome, args, {cwd: root, maxBuffer: 64 * 1024 * 1024}, (_error, stdout) => {
      resolve((JSON.parse(stdout) as {diagnostics: Diagnostic[]}).diagnostics);
    });
  });
}

describe('lint rules', () => {
  it.each([...importCases, ...adkCases, ...ruleCases])('src/$folder: $line: $verdict', (one) => {
    const errors = [...(complaints.get(one) ?? [])];
    if (one.verdict === 'passes') {
      expect(errors).toEqual([]);
    } else {
      expect(errors).toContain(one.verdict);
    }
  });

  it('have a layer for every folder of src', () => {
    const folders = readdirSync(join(repository, 'src'), {recursive: true, withFileTypes: true})
      .filter((entry) => entry.isDirectory())
      .map((entry) => join(entry.parentPath, entry.name).slice(join(repository, 'src/').length));
    expect(folders.filter((folder) => LAYERS[folder] === undefined)).toEqual([]);
  });
});
