import {z} from 'zod';
import {parseOptions} from '../../options.ts';

/** How a database is opened. */
export interface SqliteDatabaseOptions {
  /** The file, made with mode 0600 when it is missing; `:memory:` for a database that ends with the process. */
  readonly path: string;
  /**
   * What a write that has resolved survives: `power` a power cut (each commit waits for the disk), `process` only the end
   * of the process. Default `power`.
   */
  readonly durability?: 'power' | 'process' | undefined;
  /** Milliseconds to wait for another connection's lock before an error `sqlite.busy`. Default 5000. */
  readonly busyTimeoutMs?: number | undefined;
  /** Folder of the SQL migrations, for applications that bundle this package. Default: the package's own. */
  readonly migrationsFolder?: string | undefined;
  /** Overwrite what is deleted, so that it is not left in free pages of the file. Default true. */
  readonly secureDelete?: boolean | undefined;
  /** Open for reading only: the file must exist and have the current schema; every write is refused. Default false. */
  readonly readonly?: boolean | undefined;
}

const MILLISECONDS = 'must be a whole number of milliseconds, 0 to 2,147,483,647';
const PATH = "must be the path of a file or ':memory:'";

const databaseOptions = z
  .strictObject({
    path: z
      .string(PATH)
      .min(1, PATH)
      .refine((path) => !path.includes('\0'), PATH),
    durability: z.enum(['power', 'process'], "must be 'power' or 'process'").default('power'),
    busyTimeoutMs: z.int(MILLISECONDS).min(0, MILLISECONDS).max(2_147_483_647, MILLISECONDS).default(5000),
    migrationsFolder: z.string('must be the path of a folder').min(1, 'must be the path of a folder').optional(),
    secureDelete: z.boolean('must be true or false').default(true),
    readonly: z.boolean('must be true or false').default(false),
  })
  .refine(({path, readonly}) => !(path === ':memory:' && readonly), {
    path: ['readonly'],
    message: "must be false for ':memory:': that database is always new, there is nothing to read",
  });

/** Checks the options and fills in the defaults. Throws `InvalidOptionsError` naming the field. */
export function parseDatabaseOptions(options: SqliteDatabaseOptions): z.output<typeof databaseOptions> {
  return parseOptions(databaseOptions, options, '', Object.keys(databaseOptions.shape));
}
