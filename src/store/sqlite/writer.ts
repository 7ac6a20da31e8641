import type Database from 'better-sqlite3';

// Taken now: tests that stop the clock must not stop what is written.
const {setImmediate} = globalThis;

/** Those with work that waits. */
const writersWithWork = new Set<Writer>();

process.on('exit', () => {
  for (const writer of writersWithWork) {
    writer.flush();
  }
});

/** Work that waits for a transaction. */
interface WaitingWork {
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
  #waiting: readonly WaitingWork[] = [];
  /** At most one at a time: a task may go on for long, and write often. */
  #isFlushScheduled = false;

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
      const waiting = this.#waiting;
      let current: WaitingWork | undefined;
      try {
        const result = this.#transaction.immediate(() => {
          for (current of waiting) {
            current.run();
          }
          current = undefined;
          return work();
        });
        // Work may have added to it.
        this.#keepWaiting(this.#waiting.slice(waiting.length));
        for (const {settle} of waiting) {
          settle();
        }
        return result as T;
      } catch (error) {
        if (current === undefined) {
          throw error;
        }
        this.#keepWaiting(this.#waiting.filter((other) => other !== current));
        current.fail(error);
      }
    }
  }

  /** Runs `work` in the next transaction, which begins when the current task of the process has ended at the latest, or it exits. */
  writeLater(work: () => void): Promise<void> {
    return new Promise((resolve, reject) => {
      if (!this.#isFlushScheduled) {
        this.#isFlushScheduled = true;
        setImmediate(() => {
          this.#isFlushScheduled = false;
          this.flush();
        });
      }
      this.#keepWaiting([...this.#waiting, {run: work, settle: resolve, fail: reject}]);
    });
  }

  /** Writes what waits, but does not wait for the disk: the next commit that does brings it there. Never throws. */
  flush(): void {
    // Who reads inside a transaction sees what that one has done.
    if (this.#waiting.length === 0 || this.#client.inTransaction) {
      return;
    }
    const waiting = this.#waiting;
    try {
      setSynchronous(this.#client, false);
      try {
        this.write(() => undefined);
      } finally {
        setSynchronous(this.#client, this.#waitsForDisk);
      }
    } catch (error) {
      this.#keepWaiting([]);
      for (const {fail} of waiting) {
        fail(error);
      }
    }
  }

  #keepWaiting(waiting: readonly WaitingWork[]): void {
    this.#waiting = waiting;
    if (waiting.length > 0) {
      writersWithWork.add(this);
    } else {
      writersWithWork.delete(this);
    }
  }
}

/** At FULL every commit waits for the disk, at NORMAL only a checkpoint does. */
function setSynchronous(client: Database.Database, waitsForDisk: boolean): void {
  client.exec(`PRAGMA synchronous = ${waitsForDisk ? 'FULL' : 'NORMAL'}`);
}
