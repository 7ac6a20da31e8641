/** The one store of this process: sessions for the server, decisions for the plugin, both in one file. */
import {openSqliteStore} from 'adk-compaction/sqlite';

export const store = openSqliteStore(process.env.DATABASE ?? 'agent.db');
