import type {Content} from '@google/genai';
import type {CallLog, SummaryResponse} from './call-log.ts';
import {checkSummarySize, summaryText} from './check-summary.ts';
import {withDeadline} from './deadline.ts';
import {asFoldError, FoldError, isUnfolded} from './fold-errors.ts';
import type {FoldInput} from './fold-input.ts';
import type {FoldSettings} from './fold-options.ts';
import type {SummaryEndpoint, SummaryModel} from './summarizers.ts';
import {type SummaryRequestLimits, summaryRequest} from './summary-request.ts';

/** What stands for the input. */
export interface Summary {
  readonly output: Content[];
  /** The summary among `output`. */
  readonly summary?: Content;
}

export interface SummaryTask extends SummaryRequestLimits {
  readonly input: FoldInput;
  /** Estimated tokens of the input. */
  readonly inputTokens: number;
  readonly signal: AbortSignal;
}

/**
 * Asks the summariser, noting the calls in `log`. An answer that is no usable summary is asked for once more, at once;
 * everything else that goes wrong ends it.
 *
 * Throws `FoldError`: of class `aborted`, with the signal's reason as cause, whenever the signal is aborted.
 */
export async function summarise(task: SummaryTask, settings: FoldSettings, log: CallLog): Promise<Summary> {
  const {summarizer} = settings;
  try {
    return summarizer.kind === 'endpoint'
      ? await askEndpoint(summarizer, task, settings, log)
      : await askTwiceAtMost(() => askModel(summarizer, task, settings, log));
  } catch (error) {
    throw task.signal.aborted
      ? new FoldError('aborted', 'The fold was aborted by its callers.', {cause: task.signal.reason})
      : asFoldError(error);
  }
}

async function askTwiceAtMost(ask: () => Promise<Summary>): Promise<Summary> {
  try {
    return await ask();
  } catch (error) {
    if (!(error instanceof FoldError && isUnfolded(error))) {
      throw error;
    }
  }
  return await ask();
}

async function askModel(
  model: SummaryModel,
  task: SummaryTask,
  settings: FoldSettings,
  log: CallLog,
): Promise<Summary> {
  const request = summaryRequest(task.input, model.model, settings, task);
  const ask = (signal: AbortSignal): Promise<SummaryResponse[]> => {
    log.begin(request);
    return collect(model.ask(request, signal), log, signal);
  };
  const responses = await withDeadline(ask, settings.timeoutMs, task.signal);
  const summary = settings.summaryItem(summaryText(responses));
  checkSummarySize(summary, settings.summaryItem(''), task.inputTokens, task.estimate);
  return {output: [summary], summary};
}

async function collect(
  answers: AsyncIterable<SummaryResponse>,
  log: CallLog,
  signal: AbortSignal,
): Promise<SummaryResponse[]> {
  const responses: SummaryResponse[] = [];
  for await (const response of answers) {
    if (signal.aborted) {
      break;
    }
    log.hear(response);
    responses.push(response);
  }
  return responses;
}

async function askEndpoint(
  endpoint: SummaryEndpoint,
  {input, signal}: SummaryTask,
  {timeoutMs}: FoldSettings,
  log: CallLog,
): Promise<Summary> {
  const ask = (deadline: AbortSignal): ReturnType<SummaryEndpoint['ask']> => {
    log.begin();
    return endpoint.ask(input.contents, deadline);
  };
  const response = await withDeadline(ask, timeoutMs, signal);
  const contents = Array.isArray(response?.contents) ? response.contents : [];
  log.hearContents(contents);
  log.hearCall(response?.usage, response?.responseId);
  if (contents.length === 0) {
    throw new FoldError('error', 'The compaction endpoint answered without contents.', {reason: 'no contents'});
  }
  return {output: contents, ...(response.summary && {summary: response.summary})};
}
