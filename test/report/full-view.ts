import type {CallView, CutView, SessionView} from '../../src/report/view.ts';

export const CALLS = 120;
/** When the session of `fullView` began. */
export const START = Date.UTC(2026, 0, 31, 9);

/** A session with something of everything: a saw tooth under a window of 100,000 tokens. */
export function fullView(name = {appName: 'helpdesk', userId: 'ann', sessionId: 'ticket-4711'}): SessionView {
  const calls: CallView[] = [];
  const cuts: CutView[] = [];
  let tokens = 6_000;
  for (let call = 0; call < CALLS; call += 1) {
    const time = START + 40_000 * call;
    tokens += 900 + ((call * 7919) % 1700);
    const isCut = tokens > 85_000;
    if (isCut) {
      const after = 55_000 + 1_500 * cuts.length;
      const kinds = ['elision', 'fold', 'drop'] as const;
      cuts.push({
        call,
        kind: kinds[cuts.length % 3] ?? 'elision',
        time,
        agent: 'helper',
        tokensBefore: tokens,
        tokensAfter: after,
        count: 12,
        tools: [
          {name: 'search_orders', count: 8},
          {name: 'read_manual', count: 4},
        ],
        summary: 'The customer asked where order 1042 is. It was sent on Monday and is held at the depot.',
      });
      tokens = after;
    }
    calls.push({
      time,
      agent: 'helper',
      model: 'gemini-2.5-flash',
      expected: Math.round(tokens * (1 + (((call * 31) % 13) - 6) / 1500)),
      reported: tokens,
      ...(call === 0 ? {} : {stableShare: isCut ? 0.12 : 0.98}),
    });
  }
  const row = {
    tokens: 6_400_000,
    stableShare: 0.96,
    peakTokens: 85_000,
    overWindow: 0,
    cuts: 4,
    elisions: 36,
    folds: 1,
    failedFolds: 1,
    drops: 12,
    cost: 0.61,
  };
  const reported = calls.map((call) => call.reported ?? 0);
  return {
    name,
    origin: 'store',
    window: {contextTokens: 100_000, triggerTokens: 85_000, targetTokens: 60_000},
    calls,
    cuts,
    failedFolds: [
      {call: 97, time: START + 97 * 40_000, agent: 'helper', reason: 'error: 503', attempts: 2, tokens: 71_000},
    ],
    backOffs: [{agent: 'helper', since: START + 97 * 40_000, reason: 'error: 503'}],
    shares: [
      {kind: 'tool', name: 'search_orders', tokens: 91_000, parts: 160},
      {kind: 'tool', name: 'read_manual', tokens: 40_000, parts: 52},
      {kind: 'model', name: '', tokens: 21_000, parts: 120},
      {kind: 'user', name: '', tokens: 6_000, parts: 14},
    ],
    comparison: {
      hasPrices: true,
      rows: [
        {
          ...row,
          name: 'without compaction',
          settings: 'the window ignored',
          overWindow: 61,
          cost: 1.32,
          tokensByCall: reported.map((_, call) => 6_000 + 1_750 * call),
        },
        {...row, name: 'default', settings: '100,000 tokens, 85 % → 60 %, keeps 12', tokensByCall: reported},
        {
          ...row,
          name: 'deep',
          settings: '100,000 tokens, 85 % → 30 %, keeps 12',
          tokensByCall: reported.map((count) => Math.round(0.6 * count)),
        },
      ],
    },
  };
}
