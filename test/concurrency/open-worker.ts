import {writeSync} from 'node:fs';
import type {SqliteDatabaseOptions} from '../../src/store/sqlite/database-options.ts';
import {openSqliteDatabase} from '../../src/store/sqlite/open.ts';

// Opens the file it is told, says how that went, and closes it.
process.on('message', (options: SqliteDatabaseOptions) => {
  try {
    openSqliteDatabase(options).close();
    say('ok');
  } catch (error) {
    say(String(error));
  }
});
say('ready');

function say(line: string): void {
  writeSync(1, `${JSON.stringify(line)}\n`);
}
