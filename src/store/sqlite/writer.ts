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
  readonly #waitsForDisk: boolean;
  readonly #transaction: Database.Transaction<(work: () => unknown) => unknown>;
  #late: readonly LateWork[] = [];

  /** @param waitsForDisk true when each commit does */
  constructor(client: Database.Database, waitsForDisk: boolean) {
    this.#client = client;
    this.#waitsForDisk = waitsForDisk;
    setSynchronous(client, waitsForDisk);
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
      setSynchronous(this.#client, false);
      try {
        this.write(() => undefined);
      } finally {
        setSynchronous(this.#client, this.#waitsForDisk);
      }
    } catch (error) {
      this.#late = [];
      for (const {fail} of late) {
        fail(error);
      }
    }
  }
}

/** At FULL every commit waits for the disk, at NORMAL only a checkpoint does. */
function setSynchronous(client: Database.Database, waitsForDisk: boolean): void {
  client.exec(`PRAGMA synchronous = ${waitsForDisk ? 'FULL' : 'NORMAL'}`);
}
