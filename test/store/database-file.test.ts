import {chmodSync, mkdirSync, readdirSync, readFileSync, writeFileSync} from 'node:fs';
import {dirname, join} from 'node:path';
import Database from 'better-sqlite3';
import {describe, expect, it, onTestFinished} from 'vitest';
import {openSqliteStore} from '../../src/sqlite.ts';
import {databaseKind} from '../../src/store/sqlite/adk-database.ts';
import {SqliteStoreError} from '../../src/store/sqlite/sqlite-errors.ts';
import {KEY} from '../../src/testing/contract-sessions.ts';
import {temporaryFolder} from '../support/temporary-folder.ts';

interface Case {
  readonly name: string;
  /** Makes what is wrong in `folder`, and gives the path to open. */
  readonly make: (folder: string) => string;
  readonly readonly?: boolean;
  readonly code: string;
  /** What the message says beside the path: what is wrong, and the way out. */
  readonly says: RegExp;
  /** Root may read and write whatever the mode. */
  readonly isAboutModes?: boolean;
}

const file = (folder: string, text = '', mode = 0o600): string => {
  const path = join(folder, 'agent.db');
  writeFileSync(path, text, {mode});
  return path;
};

const folderOfMode = (folder: string, mode: number): string => {
  const path = join(folder, 'closed');
  mkdirSync(path);
  chmodSync(path, mode);
  return join(path, 'agent.db');
};

const store = (folder: string, mode: number): string => {
  const path = join(folder, 'agent.db');
  openSqliteStore(path).close();
  chmodSync(path, mode);
  return path;
};

const CASES: Case[] = [
  {name: 'a folder', make: (folder) => folder, code: 'sqlite.path', says: /is a folder\. Name a file in it/},
  {
    name: 'a folder, readonly',
    make: (folder) => folder,
    readonly: true,
    code: 'sqlite.path',
    says: /is a folder\. Name a file in it/,
  },
  {
    name: 'in a folder that is missing',
    make: (folder) => join(folder, 'missing', 'agent.db'),
    code: 'sqlite.path',
    says: /there is no folder .*missing\. Make it/,
  },
  {
    name: 'in a file',
    make: (folder) => join(file(folder), 'agent.db'),
    code: 'sqlite.path',
    says: /is not a folder\. Check the path/,
  },
  {
    name: 'missing, readonly',
    make: (folder) => join(folder, 'agent.db'),
    readonly: true,
    code: 'sqlite.path',
    says: /There is no file .*readonly makes none\. Check the path/,
  },
  {
    name: 'a text',
    make: (folder) => file(folder, 'Dear diary'),
    code: 'sqlite.corrupt',
    says: /is not a SQLite database.* Name the file of a store/,
  },
  {
    name: 'a text, readonly',
    make: (folder) => file(folder, 'Dear diary'.repeat(1000)),
    readonly: true,
    code: 'sqlite.corrupt',
    says: /is not a SQLite database.* Name the file of a store/,
  },
  {
    name: 'in a folder that may not be written to',
    make: (folder) => folderOfMode(folder, 0o500),
    code: 'sqlite.permission',
    says: /cannot be opened or made by this process \(EACCES\)\. Change the permissions/,
    isAboutModes: true,
  },
  {
    name: 'in a folder that may not be entered',
    make: (folder) => folderOfMode(folder, 0o600),
    readonly: true,
    code: 'sqlite.permission',
    says: /cannot be read by this process \(EACCES\)\. Change the permissions/,
    isAboutModes: true,
  },
  {
    name: 'a file that may not be read',
    make: (folder) => store(folder, 0o000),
    code: 'sqlite.permission',
    says: /cannot be opened or made by this process \(EACCES\)\. Change the permissions/,
    isAboutModes: true,
  },
  {
    name: 'a file that may only be read',
    make: (folder) => store(folder, 0o400),
    code: 'sqlite.readonly',
    says: /can only be read; nothing was written\. Open it without readonly, as a user who may write to it/,
    isAboutModes: true,
  },
  {
    name: 'a file in a folder where no log can be made',
    make: (folder) => {
      const path = store(folder, 0o600);
      chmodSync(folder, 0o500);
      return path;
    },
    code: 'sqlite.permission',
    says: /-wal, -shm.* Let this process write to its folder/,
    isAboutModes: true,
  },
];

const isRoot = process.getuid?.() === 0;

describe('a path that cannot be opened', () => {
  for (const {name, make, readonly = false, code, says, isAboutModes = false} of CASES) {
    it.skipIf(isAboutModes && isRoot)(`is named with the way out: ${name}`, () => {
      const folder = temporaryFolder();
      onTestFinished(() => chmodSync(folder, 0o700));
      const path = make(folder);
      const error = failureOf(() => openSqliteStore({path, readonly}).close());
      expect(error).toBeInstanceOf(SqliteStoreError);
      expect(error).toMatchObject({code, path, message: expect.stringMatching(says)});
      expect((error as Error).message).toContain(path);
    });
  }
});

describe('a file that was read', () => {
  it.each([
    ['a store', (path: string) => openSqliteStore({path, readonly: true})],
    ['a look at its tables', (path: string) => ({close: () => void databaseKind(path, 0)})],
  ])('is left alone, without -wal and -shm: %s', async (_, open) => {
    const path = join(temporaryFolder(), 'agent.db');
    const writer = openSqliteStore(path);
    await writer.sessions.createSession(KEY);
    writer.close();
    const before = readFileSync(path);
    open(path).close();
    expect(readdirSync(dirname(path))).toEqual(['agent.db']);
    expect(readFileSync(path).equals(before)).toBe(true);
  });

  it('keeps the -wal of a process that was killed, and the one of a writer that came meanwhile', async () => {
    const path = join(temporaryFolder(), 'agent.db');
    openSqliteStore(path).close();
    const reader = openSqliteStore({path, readonly: true});
    const writer = openSqliteStore(path);
    onTestFinished(() => writer.close());
    await writer.sessions.createSession(KEY);
    reader.close();
    const files = readdirSync(dirname(path));
    expect(files).toEqual(['agent.db', 'agent.db-shm', 'agent.db-wal']);
    openSqliteStore({path, readonly: true}).close();
    expect(readdirSync(dirname(path))).toEqual(files);
    const other = new Database(path, {readonly: true});
    onTestFinished(() => void other.close());
    expect(other.prepare('SELECT count(*) FROM sessions').pluck().get()).toBe(1);
  });
});

function failureOf(work: () => unknown): unknown {
  try {
    work();
  } catch (error) {
    return error;
  }
  return undefined;
}
