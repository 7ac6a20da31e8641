import {execFile} from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import {tmpdir} from 'node:os';
import {dirname, join} from 'node:path';
import {fileURLToPath} from 'node:url';
import {promisify} from 'node:util';
import {afterAll, beforeAll, describe, expect, it} from 'vitest';

const run = promisify(execFile);
const repository = fileURLToPath(new URL('../..', import.meta.url));
const root = mkdtempSync(join(tmpdir(), 'adk-compaction-package-'));
const consumer = join(root, 'consumer');
const installed = join(consumer, 'node_modules/adk-compaction');

interface Packed {
  readonly filename: string;
  readonly size: number;
  readonly unpackedSize: number;
  readonly files: readonly {readonly path: string}[];
}
interface Manifest {
  readonly dependencies: Record<string, string>;
  readonly peerDependencies: Record<string, string>;
}
let packed: Packed;

beforeAll(async () => {
  packed = await packSources(join(root, 'sources'));
  mkdirSync(installed, {recursive: true});
  await run('tar', ['-xzf', join(root, packed.filename), '-C', installed, '--strip-components=1']);
  linkDependencies();
}, 180_000);

afterAll(() => rmSync(root, {recursive: true, force: true}));

/** Builds and packs a copy of the sources, so that neither an old `dist` nor another test's build gets in. */
async function packSources(folder: string): Promise<Packed> {
  for (const name of [
    'package.json',
    'tsconfig.json',
    'tsdown.config.ts',
    'scripts',
    'src',
    'migrations',
    'LICENSE',
    'README.md',
  ]) {
    const from = join(repository, name);
    if (existsSync(from)) {
      cpSync(from, join(folder, name), {recursive: true});
    }
  }
  symlinkSync(join(repository, 'node_modules'), join(folder, 'node_modules'));
  await run('npm', ['run', 'build'], {cwd: folder});
  const {stdout} = await run('npm', ['pack', '--json', '--ignore-scripts', '--pack-destination', root], {cwd: folder});
  return (JSON.parse(stdout) as [Packed])[0];
}

/** Gives the consumer what installing the package would: its dependencies and peers, and nothing else of ours. */
function linkDependencies(): void {
  const manifest = JSON.parse(readFileSync(join(installed, 'package.json'), 'utf8')) as Manifest;
  const names = Object.keys({...manifest.dependencies, ...manifest.peerDependencies});
  for (const name of [...names, '@types/node']) {
    const link = join(consumer, 'node_modules', name);
    mkdirSync(dirname(link), {recursive: true});
    symlinkSync(join(repository, 'node_modules', name), link);
  }
}

/** Runs a program in the consumer's folder and gives back the JSON it printed. */
async function runConsumer(file: string, source: string): Promise<unknown> {
  writeFileSync(join(consumer, file), source);
  const {stdout} = await run(process.execPath, [file], {cwd: consumer});
  return JSON.parse(stdout);
}

const ESM_IMPORTS = `
import {BasePlugin, BaseSessionService} from '@google/adk';
import {CompactionError, CompactionManager, CompactionPlugin, estimateRequest} from 'adk-compaction';
import {openSqliteStore, SqliteSessionService} from 'adk-compaction/sqlite';
import * as testing from 'adk-compaction/testing';
`;
const CJS_IMPORTS = `
const {BasePlugin, BaseSessionService} = require('@google/adk');
const {CompactionError, CompactionManager, CompactionPlugin, estimateRequest} = require('adk-compaction');
const {openSqliteStore, SqliteSessionService} = require('adk-compaction/sqlite');
const testing = require('adk-compaction/testing');
`;

/** Uses each entry once; a store is opened twice to see that the first opening left a file the second one reads. */
function program(imports: string, databaseFile: string): string {
  return `${imports}
const key = {appName: 'app', userId: 'user', sessionId: 'session'};

async function main() {
  const first = openSqliteStore('${databaseFile}');
  await first.sessions.createSession({...key, state: {'user:language': 'en'}});
  first.close();

  const store = openSqliteStore('${databaseFile}');
  const plugin = new CompactionPlugin({policy: {contextTokens: 100_000}, store: store.compaction});
  const session = await store.sessions.getSession(key);
  const caught = (() => {
    try {
      new CompactionManager({policy: {contextTokens: -1}});
    } catch (error) {
      return error;
    }
  })();
  const seen = {
    serviceIsAdks: store.sessions instanceof BaseSessionService && store.sessions instanceof SqliteSessionService,
    pluginIsAdks: plugin instanceof BasePlugin,
    pluginName: plugin.name,
    state: session.state,
    error: CompactionError.isInstance(caught) && [caught.name, caught.field],
    tokens: estimateRequest({contents: [], toolsDict: {}, liveConnectConfig: {}}).tokens > 0,
    contract: typeof testing.compactionStoreContract,
  };
  await plugin.manager.close();
  store.close();
  console.log(JSON.stringify(seen));
}
main();
`;
}

describe('the packed package', () => {
  it.each([
    ['ESM', 'consumer.mjs', ESM_IMPORTS],
    ['CommonJS', 'consumer.cjs', CJS_IMPORTS],
  ])('opens a store and extends the ADK classes of its caller in %s', async (_format, file, imports) => {
    expect(await runConsumer(file, program(imports, `${file}.db`))).toEqual({
      serviceIsAdks: true,
      pluginIsAdks: true,
      pluginName: 'adk-compaction',
      state: {'user:language': 'en'},
      error: ['InvalidOptionsError', 'policy.contextTokens'],
      tokens: true,
      contract: 'function',
    });
  });

  it('has a command line that needs nothing but the package and its dependencies', async () => {
    const {bin} = JSON.parse(readFileSync(join(installed, 'package.json'), 'utf8')) as {bin: Record<string, string>};
    const cli = join(installed, bin['adk-compaction'] ?? '');
    expect(statSync(cli).mode & 0o111).not.toBe(0);
    await runConsumer('store.mjs', program(ESM_IMPORTS, 'command-line.db'));
    const command = async (...args: string[]): Promise<string> => (await run(cli, args, {cwd: consumer})).stdout;
    expect(await command('--help')).toContain('adk-compaction sessions agent.db');
    expect(await command('sessions', 'command-line.db')).toContain('1 session');
    expect(await command('verify', 'command-line.db')).toContain('is sound: 1 session');
    expect(await command('report', 'command-line.db', '-o', '-')).toContain('"sessionId":"session"');
    await command('export', 'command-line.db', '-o', 'session.json');
    expect(await command('import', 'copy.db', 'session.json')).toContain('Imported 1 session');
    expect(await command('replay', 'copy.db')).toContain('0 model calls of 1 session');
    expect(await command('migrate', 'copy.db')).toContain('has the current schema');
    expect(await command('history', 'copy.db')).toContain('Compaction has recorded nothing');
    expect(await command('purge', 'copy.db', '--user', 'user', '--yes')).toBe('Deleted 1 session.\n');
  });

  it('compiles in .mts and .cts consumers', async () => {
    const source = `
      import {LlmAgent, Runner} from '@google/adk';
      import {CompactionManager, CompactionPlugin, type CompactionOptions} from 'adk-compaction';
      import {openSqliteStore, type SqliteStore} from 'adk-compaction/sqlite';
      import {compactionStoreContract} from 'adk-compaction/testing';

      const store: SqliteStore = openSqliteStore(':memory:');
      const options: CompactionOptions = {policy: {contextTokens: 200_000}, store: store.compaction};
      const manager = new CompactionManager(options);
      export const agent = new LlmAgent({
        name: 'agent',
        model: 'gemini-2.5-flash',
        beforeModelCallback: manager.beforeModel,
        afterModelCallback: manager.afterModel,
      });
      export const runner = new Runner({
        appName: 'app',
        agent,
        sessionService: store.sessions,
        plugins: [new CompactionPlugin(manager)],
      });
      export const contract: (...args: never[]) => unknown = compactionStoreContract;
    `;
    for (const file of ['consumer.mts', 'consumer.cts']) {
      writeFileSync(join(consumer, file), source);
    }
    const tsc = join(repository, 'node_modules/typescript/bin/tsc');
    const flags = '--noEmit --strict --skipLibCheck --target es2023 --module nodenext --types node'.split(' ');
    const compiled = run(process.execPath, [tsc, ...flags, 'consumer.mts', 'consumer.cts'], {cwd: consumer});
    expect((await compiled.catch((error: {stdout: string}) => error)).stdout).toBe('');
  });

  it('opens a store in a CommonJS bundle that names the migrations', async () => {
    const source = `
      import {openSqliteStore} from 'adk-compaction/sqlite';
      const migrationsFolder = 'node_modules/adk-compaction/migrations/sqlite';
      const open = (options) => {
        try {
          openSqliteStore({path: ':memory:', ...options}).close();
          return 'opened';
        } catch (error) {
          return error.code ?? String(error);
        }
      };
      console.log(JSON.stringify([open({migrationsFolder}), open({})]));
    `;
    writeFileSync(join(consumer, 'bundled.mjs'), source);
    const esbuild = join(repository, 'node_modules/esbuild/bin/esbuild');
    const externals = ['@google/adk', 'better-sqlite3'].map((name) => `--external:${name}`);
    const flags = ['--bundle', '--platform=node', '--format=cjs', '--outfile=bundle.cjs', '--log-level=error'];
    await run(esbuild, ['bundled.mjs', ...flags, ...externals], {cwd: consumer});
    const {stdout} = await run(process.execPath, ['bundle.cjs'], {cwd: consumer});
    expect(JSON.parse(stdout)).toEqual(['opened', 'sqlite.migrations']);
  });

  it('names neither the driver nor the query builder in its types', () => {
    const types = readdirSync(join(installed, 'dist')).filter((file) => /\.d\.[mc]ts$/.test(file));
    const naming = types.filter((file) => /sqlite3|drizzle/.test(readFileSync(join(installed, 'dist', file), 'utf8')));
    expect(types).toContain('sqlite.d.mts');
    expect(naming).toEqual([]);
  });

  it('holds the build, the migrations and the papers, and nothing else', () => {
    const paths = packed.files.map(({path}) => path);
    const known = [
      /^dist\/[\w-]+\.(mjs|cjs|d\.mts|d\.cts)$/,
      /^migrations\/sqlite\/(\w+\.sql|meta\/_journal\.json)$/,
      /^(package\.json|README\.md|LICENSE)$/,
    ];
    expect(paths.filter((path) => !known.some((pattern) => pattern.test(path)))).toEqual([]);
    expect(paths).toContain('migrations/sqlite/meta/_journal.json');
    expect(paths.filter((path) => path.endsWith('.sql'))).not.toEqual([]);
  });

  it('stays small', () => {
    expect(packed.size).toBeLessThan(350_000);
    expect(packed.unpackedSize).toBeLessThan(1_200_000);
  });
});
