import {AsyncLocalStorage} from 'node:async_hooks';
import type {Fold, FoldObserver} from './fold.ts';
import {FoldError} from './fold-errors.ts';

/** A fold whose observers are running: which memory it belongs to and what it covers. */
interface ReportedFold {
  readonly owner: object;
  readonly prefixHash: string;
}

const reporting = new AsyncLocalStorage<readonly ReportedFold[]>();

/**
 * Calls the observers in order, each awaited. The first that throws stops the rest: what it threw is the cause of the
 * `FoldError` thrown here.
 */
export async function notify(observers: readonly FoldObserver[], fold: Fold, reported: ReportedFold): Promise<void> {
  try {
    await reporting.run([...(reporting.getStore() ?? []), reported], async () => {
      for (const observer of observers) {
        await observer(fold);
      }
    });
  } catch (cause) {
    throw new FoldError('error', 'An onFold observer threw, which fails the call.', {reason: 'onFold threw', cause});
  }
}

/** True inside an observer of a fold of this prefix: waiting for that fold would wait for itself. */
export function isReporting(owner: object, prefixHash: string): boolean {
  return (
    prefixHash !== '' &&
    (reporting.getStore() ?? []).some((reported) => reported.owner === owner && reported.prefixHash === prefixHash)
  );
}
