import {writing} from './open-store.ts';
import {print} from './output.ts';

/** `migrate DB`: opens a store for writing, which brings its schema up to date. */
export async function migrateStore(path: string): Promise<void> {
  const {count} = await writing(
    path,
    ({client}) => client.prepare('SELECT count(*) AS count FROM __drizzle_migrations').get() as {count: number},
  );
  print(`${path} has the current schema (${count === 1 ? '1 migration' : `${count} migrations`}).\n`);
}
