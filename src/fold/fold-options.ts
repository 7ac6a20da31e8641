import type {LlmRequest} from '@google/adk';
import type {Content} from '@google/genai';
import {z} from 'zod';
import {InvalidOptionsError} from '../errors.ts';
import {callback, count, parseOptions} from '../options.ts';
import {partsOf} from '../request/parts.ts';
import {DEFAULT_MAX_BODY_CHARS, DEFAULT_TIMEOUT_MS} from './defaults.ts';
import type {FoldObserver} from './fold.ts';
import {callOption} from './fold-errors.ts';
import {DEFAULT_SUMMARY_PROMPT} from './prompt.ts';
import {
  connectSummarizer,
  isClient,
  isCompactor,
  isModel,
  type Summarizer,
  type SummaryEndpoint,
  type SummaryModel,
} from './summarizers.ts';
import {summaryContent} from './summary-content.ts';

/** How folds are made. `undefined` asks for the default everywhere. */
export interface FoldOptions {
  /** An ADK model, a `@google/genai` client (then `model` is required), or a compaction endpoint. */
  readonly summarizer: Summarizer;
  /** Model that writes the summary. Default: the summariser's own. */
  readonly model?: string | undefined;
  /**
   * Contents at the end that are never folded, 0 or more. Default 4 (`DEFAULT_KEEP_LAST`); in a manager
   * `policy.keepRecentContents`, and at least 1.
   */
  readonly keepLast?: number | undefined;
  /**
   * Estimated tokens below which a fold is not worth a call, 0 or more. Default: twice what an empty summary weighs, or an
   * eighth of the budget when that is more; 0 with a `Compactor`.
   */
  readonly minFold?: number | undefined;
  /** The last content of every summary request. Default `DEFAULT_SUMMARY_PROMPT`. */
  readonly summaryPrompt?: string | undefined;
  /** Turns the summary text into the user content that stands for it. Default `summaryContent`. */
  readonly summaryItem?: ((summary: string) => Content) | undefined;
  /** Contents to keep beside the summary, whole and with the other halves of their pairs. They are summarised too. */
  readonly pin?: ((content: Content) => boolean) | undefined;
  /**
   * Leaves out what the summariser need not read. Only contents given back as they are can be pinned. Default: leaves out
   * contents without parts.
   */
  readonly filter?: ((contents: Content[]) => Content[]) | undefined;
  /**
   * Edits the request of each attempt, after `maxOutputTokens` was set. It should add neither tools nor a system
   * instruction.
   */
  readonly editRequest?: ((request: LlmRequest) => void) | undefined;
  /** Learn of every attempted fold, in this order. An observer that throws fails the call. Default none. */
  readonly onFold?: FoldObserver | readonly (FoldObserver | null | undefined)[] | undefined;
  /** Whether to stop asking for a while after a failure. Default true. */
  readonly backOff?: boolean | undefined;
  /** What a hard error does: fail the call, or go on unfolded. Default `throw`; in a manager always `continue`. */
  readonly onError?: 'throw' | 'continue' | undefined;
  /** Milliseconds for each summary call, 1 to 2,147,483,647. Default 120,000. */
  readonly timeoutMs?: number | undefined;
  /** Whether the summariser reads one text or the contents themselves. Default `text`. */
  readonly material?: 'text' | 'contents' | undefined;
  /** UTF-16 code units of one tool body in the text, 0 or more; longer ones are clipped. Default 8,000. */
  readonly maxBodyChars?: number | undefined;
  /** The summariser's window in tokens. Default unlimited; in a manager its `contextTokens`. */
  readonly summarizerContextTokens?: number | undefined;
}

/** The options, checked, with everything filled in that does not depend on the host. */
export interface FoldSettings {
  readonly summarizer: SummaryModel | SummaryEndpoint;
  readonly keepLast: number | undefined;
  readonly minFold: number | undefined;
  readonly summaryPrompt: string;
  readonly summaryItem: (summary: string) => Content;
  readonly pin: ((content: Content) => boolean) | undefined;
  readonly filter: (contents: Content[]) => Content[];
  readonly editRequest: ((request: LlmRequest) => void) | undefined;
  readonly observers: readonly FoldObserver[];
  readonly backOff: boolean;
  readonly onError: 'throw' | 'continue';
  readonly timeoutMs: number;
  readonly material: 'text' | 'contents';
  readonly maxBodyChars: number;
  readonly summarizerContextTokens: number | undefined;
}

/** The members of `FoldOptions`, for hosts that add their own. */
export const foldOptionsShape = {
  summarizer: z.custom<Summarizer>(
    (value) => typeof value === 'object' && value !== null && (isModel(value) || isCompactor(value) || isClient(value)),
    'must be an ADK model, a GoogleGenAI client or a Compactor',
  ),
  model: z.string().min(1, 'must not be empty').optional(),
  keepLast: count.optional(),
  minFold: count.optional(),
  summaryPrompt: z.string().min(1, 'must not be empty').optional(),
  summaryItem: callback<(summary: string) => Content>().optional(),
  pin: callback<(content: Content) => boolean>().optional(),
  filter: callback<(contents: Content[]) => Content[]>().optional(),
  editRequest: callback<(request: LlmRequest) => void>().optional(),
  onFold: z.union([callback<FoldObserver>(), z.array(callback<FoldObserver>().nullish())]).optional(),
  backOff: z.boolean().optional(),
  onError: z.enum(['throw', 'continue']).optional(),
  timeoutMs: z.int('must be a whole number').min(1, 'must be 1 or more').max(2_147_483_647, 'is too long').optional(),
  material: z.enum(['text', 'contents']).optional(),
  maxBodyChars: count.optional(),
  summarizerContextTokens: z.int('must be a whole number').min(1, 'must be 1 or more').optional(),
};

const managedOptions = z.strictObject({
  ...foldOptionsShape,
  keepLast: z.int('must be a whole number').min(1, 'must be 1 or more: the last content always stays').optional(),
  onError: z.literal('continue', "must be 'continue': a fold never fails an agent's turn").default('continue'),
});

/**
 * Checks the fold options of a manager: `onError` is always `continue`, and `keepLast` at least 1. Throws
 * `InvalidOptionsError` that names the field, such as `fold.keepLast`.
 */
export function managedFoldSettings(options: FoldOptions): FoldSettings {
  return foldSettings(parseOptions(managedOptions, options, 'fold', Object.keys(managedOptions.shape)), 'fold.');
}

/** Fills in the defaults. What a callback throws later says which option it was. */
export function foldSettings(options: z.output<z.ZodObject<typeof foldOptionsShape>>, fieldPrefix = ''): FoldSettings {
  const {summarizer, model, summaryItem = summaryContent, filter = withParts, pin, onFold} = options;
  if (model === undefined && !isModel(summarizer) && !isCompactor(summarizer)) {
    throw new InvalidOptionsError(`${fieldPrefix}model`, 'is required when the summarizer is a GoogleGenAI client.');
  }
  return {
    summarizer: connectSummarizer(summarizer, model),
    keepLast: options.keepLast,
    minFold: options.minFold,
    summaryPrompt: options.summaryPrompt ?? DEFAULT_SUMMARY_PROMPT,
    summaryItem: (summary) => callOption('summaryItem', () => summaryItem(summary)),
    pin: pin && ((content) => callOption('pin', () => pin(content))),
    filter: (contents) => callOption('filter', () => listOf(filter(contents))),
    editRequest: options.editRequest,
    observers: [onFold ?? []].flat().filter((observer) => observer != null),
    backOff: options.backOff ?? true,
    onError: options.onError ?? 'throw',
    timeoutMs: options.timeoutMs ?? DEFAULT_TIMEOUT_MS,
    material: options.material ?? 'text',
    maxBodyChars: options.maxBodyChars ?? DEFAULT_MAX_BODY_CHARS,
    summarizerContextTokens: options.summarizerContextTokens,
  };
}

function listOf(filtered: Content[]): Content[] {
  if (filtered instanceof Promise || Array.isArray(filtered)) {
    return filtered;
  }
  throw new TypeError('The filter gave no list of contents.');
}

function withParts(contents: Content[]): Content[] {
  return contents.filter((content) => partsOf(content).length > 0);
}
