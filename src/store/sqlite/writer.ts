import type Database from 'better-sqlite3';

/** Work that waits for a transaction. */
interface LateWork {
  /** Inside a transaction. */
  run(): void;
  /** Once that is committed. */
  settle(): void;
  /** When it could not be done. */
  fail(error: unknown): void;
}

/**
 * The write transactions of one connection. Work that may wait joins the next one, whoever makes it: begin, locks and commit
 * take several times as long as a row or two.
 */
export class Writer {
  readonly #client: Database.Database;
  readonly #transaction: Database.Transaction<(work: () => unknown) => unknown>;
  #late: readonly LateWork[] = [];

  constructor(client: Database.Database) {
    this.#client = client;
    this.#transaction = client.transaction((work: () => unknown) => work());
  }

  /**
   * Runs `work`, and before it what waits, in one transaction that holds the write lock from its start. What waited and throws
   * is left out of it.
   */
  write<T>(work: () => T): T {
    for (;;) {
      const late = this.#late;
      let current: LateWork | undefined;
      try {
        const result = this.#transaction.immediate(() => {
          for (current of late) {
            current.run();
          }
          current = undefined;
          return work();
        });
        this.#late = this.#late.slice(late.length);
        for (const {settle} of late) {
          settle();
        }
        return result as T;
      } catch (error) {
        if (current === undefined) {
          throw error;
        }
        this.#late = this.#late.filter((other) => other !== current);
        current.fail(error);
      }
    }
  }

  /** Runs `work` in the next transaction, which begins when the current task of the process has ended at the latest. */
  writeLater<T>(work: () => T): Promise<T> {
    return new Promise((resolve, reject) => {
      let result: T;
      const run = (): void => {
        result = work();
      };
      if (this.#late.length === 0) {
        setImmediate(() => this.flush());
      }
      this.#late = [...this.#late, {run, settle: () => resolve(result), fail: reject}];
    });
  }

  /** Writes what waits, but does not wait for the disk: the next commit that does brings it there. Never throws. */
  flush(): void {
    if (this.#late.length === 0 || this.#client.inTransaction) {
      return;
    }
    const late = this.#late;
    try {
      const level = this.#client.pragma('synchronous', {simple: true});
      this.#client.pragma('synchronous = NORMAL');
      try {
        this.write(() => undefined);
      } finally {
        this.#client.pragma(`synchronous = ${level}`);
      }
    } catch (error) {
      this.#late = [];
      for (const {fail} of late) {
        fail(error);
      }
    }
  }
}
