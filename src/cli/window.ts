import {parsePolicy} from '../policy.ts';
import type {ReportWindow} from '../report/view-model.ts';

export interface WindowOptions {
  readonly contextTokens?: number;
  readonly trigger?: number;
  readonly target?: number;
}

/** The window to draw; `undefined` when the command line names none. Throws `InvalidOptionsError`. */
export function readWindow({contextTokens, trigger, target}: WindowOptions): ReportWindow | undefined {
  if (contextTokens === undefined) {
    return undefined;
  }
  const {triggerFraction, targetFraction} = parsePolicy({
    contextTokens,
    triggerFraction: trigger,
    targetFraction: target,
  });
  return {contextTokens, triggerFraction, targetFraction};
}
