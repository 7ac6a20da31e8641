import Database from 'better-sqlite3';

const METHODS = ['run', 'get', 'all'] as const;

type Method = (this: Database.Statement, ...parameters: unknown[]) => unknown;

/**
 * Runs `work` with a fault right after the `nth` statement that reads or writes rows, or right before COMMIT. Gives false
 * when `work` runs fewer of them: the fault did not happen.
 */
export async function withFaultAfter(nth: number, work: () => Promise<unknown>): Promise<boolean> {
  const probe = new Database(':memory:');
  const prototype = Object.getPrototypeOf(probe.prepare('SELECT 1')) as Record<(typeof METHODS)[number], Method>;
  probe.close();
  const originals = METHODS.map((name) => [name, prototype[name]] as const);
  let count = 0;
  for (const [name, original] of originals) {
    prototype[name] = function (...parameters) {
      if (this.source === 'COMMIT' && ++count === nth) {
        throw new Error(`fault before COMMIT, as statement ${nth}`);
      }
      const result = original.apply(this, parameters);
      if (/^(BEGIN|COMMIT|ROLLBACK|PRAGMA)/.test(this.source)) {
        return result;
      }
      if (++count === nth) {
        throw new Error(`fault after statement ${nth}`);
      }
      return result;
    };
  }
  try {
    await work();
  } finally {
    for (const [name, original] of originals) {
      prototype[name] = original;
    }
  }
  return count >= nth;
}
