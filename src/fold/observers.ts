import {AsyncLocalStorage} from 'node:async_hooks';
import type {Fold, FoldObserver} from './fold.ts';
import {FoldError} from './fold-errors.ts';

/** A fold whose observers are called: which memory it belongs to and what it covers. */
interface ReportedFold {
  readonly owner: object;
  readonly prefixHash: string;
}

interface Reporting extends ReportedFold {
  isOver: boolean;
}

const reporting = new AsyncLocalStorage<readonly Reporting[]>();

/**
 * Calls the observers in order, each awaited. The first that throws stops the rest: what it threw is the cause of the
 * `FoldError` thrown here.
 */
export async function notify(observers: readonly FoldObserver[], fold: Fold, reported: ReportedFold): Promise<void> {
  const begun: Reporting = {...reported, isOver: false};
  try {
    await reporting.run([...(reporting.getStore() ?? []), begun], async () => {
      for (const observer of observers) {
        await observer(fold);
      }
    });
  } catch (cause) {
    throw new FoldError('error', 'An onFold observer threw, which fails the call.', {reason: 'onFold threw', cause});
  } finally {
    begun.isOver = true;
  }
}

/** True inside an observer of a fold of this prefix: waiting for that fold would be waiting for oneself. */
export function isReporting(owner: object, prefixHash: string): boolean {
  return prefixHash !== '' && current().some((one) => one.owner === owner && one.prefixHash === prefixHash);
}

/** True inside an observer of any fold. */
export function isInsideObserver(): boolean {
  return current().length > 0;
}

function current(): readonly Reporting[] {
  return (reporting.getStore() ?? []).filter((one) => !one.isOver);
}
