import {FoldError} from './fold-errors.ts';

/**
 * Runs one summary call. On the caller's abort and after `timeoutMs` the call's own signal is aborted and the result
 * rejects at once, with the abort's reason or a `FoldError`; a call that does not listen is not waited for. A signal that
 * is aborted already rejects without a call.
 */
export async function withDeadline<Result>(
  call: (signal: AbortSignal) => Promise<Result>,
  timeoutMs: number,
  signal: AbortSignal,
): Promise<Result> {
  signal.throwIfAborted();
  const controller = new AbortController();
  let stop: (reason: unknown) => void = () => {};
  const stopped = new Promise<never>((_, reject) => {
    stop = (reason) => {
      controller.abort(reason);
      reject(reason);
    };
  });
  const onAbort = (): void => stop(signal.reason);
  signal.addEventListener('abort', onAbort, {once: true});
  const timer = setTimeout(() => {
    stop(new FoldError('error', `The summary call did not end within ${timeoutMs} ms.`, {reason: 'timeout'}));
  }, timeoutMs);
  try {
    return await Promise.race([call(controller.signal), stopped]);
  } finally {
    clearTimeout(timer);
    signal.removeEventListener('abort', onAbort);
  }
}
