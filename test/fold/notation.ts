import type {BaseLlm, LlmRequest} from '@google/adk';
import type {Content, FinishReason, GenerateContentResponseUsageMetadata} from '@google/genai';
import type {SummaryResponse} from '../../src/fold/call-log.ts';
import type {Fold} from '../../src/fold/fold.ts';
import {FoldTransform, type FoldTransformOptions} from '../../src/fold/fold-transform.ts';

let made = 0;

/** A text of its own with `length` characters. */
export function ownText(length: number): string {
  made += 1;
  return String.fromCharCode(0x4e00 + (made % 0x5000))
    .padEnd(length, '.')
    .slice(0, length);
}

/**
 * Contents by name: `u20` user text, `a20` model text, `c10#x` a call, `r20#x` its answer, `t30` thoughts only, `n5` one that
 * the filter leaves out, `P10` and `Q10` texts that the pin predicate matches. Several parts in one content: `c10#x+c5#y`.
 */
export function contents(notation: string): Content[] {
  return notation
    .split(/[\s,]+/)
    .filter(Boolean)
    .map(content);
}

function content(word: string): Content {
  const parts = word.split('+').map((name) => {
    const [, kind = '', digits = '', id = ''] = /^([uactrnPQ])(\d+)(?:#(\w+))?$/.exec(name) ?? [];
    const text = ownText(Number(digits));
    switch (kind) {
      case 'c':
        return {functionCall: {id, name: `tool_${id}`, args: {text}}};
      case 'r':
        return {functionResponse: {id, name: `tool_${id}`, response: {text}}};
      case 't':
        return {text, thought: true};
      case 'P':
      case 'Q':
      case 'u':
      case 'a':
      case 'n':
        return {text};
      default:
        throw new Error(`${word} is not in the notation.`);
    }
  });
  const kind = word[0] ?? '';
  const role = kind === 'n' ? 'note' : 'act'.includes(kind) ? 'model' : 'user';
  const name = kind === 'P' || kind === 'Q' ? {pinnedAs: kind} : {};
  return {role, parts, ...name} as Content;
}

/** One character, one token, whatever the kind of content. */
export function weigh(list: readonly Content[]): number {
  let sum = 0;
  for (const {parts = []} of list) {
    for (const part of parts) {
      sum += (part.text ?? '').length;
      sum += String(part.functionCall?.args?.text ?? '').length;
      sum += String(part.functionResponse?.response?.text ?? '').length;
    }
  }
  return sum;
}

export const isPinned = (item: Content): boolean => 'pinnedAs' in item;
export const withoutNotes = (list: Content[]): Content[] => list.filter((item) => item.role !== 'note');
export const summaryItem = (summary: string): Content => ({role: 'user', parts: [{text: `SUM:${summary}`}]});
export const textOf = (item: Content | undefined): string =>
  (item?.parts ?? []).map((part) => part.text ?? '').join('');

export type Answer = SummaryResponse[] | ((request: LlmRequest, signal: AbortSignal) => Promise<SummaryResponse[]>);

/** An answer with a text of `length` characters. */
export function summaryOf(length: number, usage?: GenerateContentResponseUsageMetadata): SummaryResponse[] {
  return says({text: ownText(length).replace(/\.$/, '!')}, usage);
}

export function says(
  part: NonNullable<Content['parts']>[number],
  usage?: GenerateContentResponseUsageMetadata,
  finishReason = 'STOP',
): SummaryResponse[] {
  return [
    {
      content: {role: 'model', parts: [part]},
      finishReason: finishReason as FinishReason,
      ...(usage && {usageMetadata: usage}),
    },
  ];
}

export const callsOnly: SummaryResponse[] = says({functionCall: {name: 'done', args: {}}});

/** A summariser that answers by a script: the n-th answer, the last one for ever. */
export class FakeModel {
  readonly model = 'fake-summarizer';
  readonly requests: LlmRequest[] = [];
  readonly signals: AbortSignal[] = [];
  answers: Answer[];

  constructor(answers: Answer[] = [() => Promise.resolve(summaryOf(10))]) {
    this.answers = answers;
  }

  async *generateContentAsync(
    request: LlmRequest,
    _stream: boolean,
    signal: AbortSignal,
  ): AsyncGenerator<SummaryResponse> {
    this.requests.push(structuredClone({...request, toolsDict: {}}));
    this.signals.push(signal);
    const answer = this.answers[Math.min(this.requests.length, this.answers.length) - 1] ?? [];
    yield* typeof answer === 'function' ? await answer(request, signal) : answer;
  }

  asLlm(): BaseLlm {
    return this as unknown as BaseLlm;
  }
}

export interface Rig {
  readonly fold: FoldTransform;
  readonly model: FakeModel;
  readonly reports: Fold[];
  /** Contents of the last summary request without the prompt. */
  material(): Content[];
  calls(): number;
}

/** A `FoldTransform` by the conventions of the scenarios. */
export function rig(
  budget: number,
  keepLast: number,
  options: Partial<FoldTransformOptions> & {answers?: Answer[]} = {},
): Rig {
  const {answers, ...others} = options;
  const model = new FakeModel(answers);
  const reports: Fold[] = [];
  const fold = new FoldTransform({
    summarizer: model.asLlm(),
    budget,
    keepLast,
    estimate: weigh,
    summaryItem,
    filter: withoutNotes,
    material: 'contents',
    onFold: (report) => {
      reports.push(report);
    },
    ...others,
  });
  return {
    fold,
    model,
    reports,
    material: () => model.requests.at(-1)?.contents.slice(0, -1) ?? [],
    calls: () => model.requests.length,
  };
}

/** A promise with its handles. */
export function gate<Value = void>(): {
  opened: Promise<Value>;
  open: (value: Value) => void;
  fail: (error: unknown) => void;
} {
  let open!: (value: Value) => void;
  let fail!: (error: unknown) => void;
  const opened = new Promise<Value>((resolve, reject) => {
    open = resolve;
    fail = reject;
  });
  return {opened, open, fail};
}

/** Freezes a list of contents to the last string. */
export function frozen<Value>(value: Value): Value {
  if (typeof value === 'object' && value !== null && !Object.isFrozen(value)) {
    Object.freeze(value);
    Object.values(value).forEach(frozen);
  }
  return value;
}
