import {BasePlugin, type Context, type LlmRequest, type LlmResponse} from '@google/adk';
import {CompactionManager} from './compaction-manager.ts';
import type {CompactionOptions} from './compaction-options.ts';

/**
 * Compaction for every agent of a runner. Register it last: plugins after it would change requests that were measured already.
 * ADK runs agent tools without plugins; register `plugin.manager`'s callbacks on their agents as well.
 */
export class CompactionPlugin extends BasePlugin {
  readonly manager: CompactionManager;

  constructor(options: CompactionOptions | CompactionManager) {
    super('adk-compaction');
    this.manager = isManager(options) ? options : new CompactionManager(options);
  }

  override async beforeModelCallback({
    callbackContext,
    llmRequest,
  }: {
    callbackContext: Context;
    llmRequest: LlmRequest;
  }): Promise<LlmResponse | undefined> {
    return await this.manager.beforeModel({context: callbackContext, request: llmRequest});
  }

  override async afterModelCallback({
    callbackContext,
    llmResponse,
  }: {
    callbackContext: Context;
    llmResponse: LlmResponse;
  }): Promise<LlmResponse | undefined> {
    return await this.manager.afterModel({context: callbackContext, response: llmResponse});
  }

  override async onModelErrorCallback({callbackContext}: {callbackContext: Context}): Promise<undefined> {
    this.manager.modelFailed(callbackContext);
    return undefined;
  }
}

/** By its methods, so that a manager of another copy of this package is taken too. */
function isManager(options: CompactionOptions | CompactionManager): options is CompactionManager {
  return typeof options === 'object' && options !== null && 'beforeModel' in options;
}
