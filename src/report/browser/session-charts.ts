import type {SessionView} from '../view.ts';
import {chart, type Mark} from './chart.ts';
import {count, percent, plural, short, signedPercent} from './format.ts';

type Chart = ReturnType<typeof chart>;

const POLICY_COLORS = ['--muted', '--accent', '--second', '--third', '--fourth'];

/** The charts of a session, leaving out those that have nothing to draw. */
export function sessionCharts(view: SessionView): Chart[] {
  const {calls} = view;
  if (calls.length === 0) {
    return [];
  }
  const hasErrors = calls.some(({expected, reported}) => expected !== undefined && reported !== undefined);
  const hasShares = calls.some(({stableShare}) => stableShare !== undefined);
  return [contextChart(view), ...(hasErrors ? [errorChart(view)] : []), ...(hasShares ? [cacheChart(view)] : [])];
}

function contextChart({calls, window, cuts, failedFolds}: SessionView): Chart {
  const marks: Mark[] = [
    ...cuts.map(({call, kind}) => ({index: call, shape: kind})),
    ...failedFolds.map(({call}) => ({index: call, shape: 'failed' as const})),
  ];
  const top = window?.contextTokens ?? 0;
  return chart({
    title: 'Context over model calls',
    note: window
      ? `Prompt tokens of each request, in a window of ${count(window.contextTokens)}.`
      : 'Prompt tokens of each request. Give --context-tokens to see the window, the trigger and the target.',
    lines: [
      {label: 'expected', color: '--muted', values: calls.map((call) => call.expected), width: 1, dash: [3, 3]},
      {label: 'reported', color: '--accent', values: calls.map((call) => call.reported), style: 'area', width: 2},
    ],
    levels: window
      ? [
          {label: `window ${short(window.contextTokens)}`, value: window.contextTokens},
          {label: `trigger ${short(window.triggerTokens)}`, value: window.triggerTokens},
          {label: `target ${short(window.targetTokens)}`, value: window.targetTokens},
        ]
      : [],
    marks,
    formatAxis: short,
    format: count,
    range: (_, high) => [0, 1.06 * Math.max(high, top, 1)],
    details: (index) => [
      ...cuts.filter(({call}) => call === index).map(cutText),
      ...failedFolds.filter(({call}) => call === index).map(({reason}) => `fold failed (${reason})`),
    ],
  });
}

function cutText({kind, count: items, tokensBefore, tokensAfter}: SessionView['cuts'][number]): string {
  const what = {
    elision: `elided ${plural(items, 'answer')}`,
    fold: `folded ${plural(items, 'content')}`,
    drop: `dropped ${plural(items, 'turn')}`,
  }[kind];
  return `${what}: ${count(tokensBefore)} → ${count(tokensAfter)}`;
}

function errorChart({calls}: SessionView): Chart {
  const errors = calls.map(({expected, reported}) =>
    expected === undefined || reported === undefined ? undefined : (expected - reported) / reported,
  );
  const sorted = errors
    .flatMap((error) => (error === undefined ? [] : Math.abs(error)))
    .sort((one, other) => one - other);
  // A first call without any experience may be far off; it must not flatten the rest.
  const reach = Math.max(0.005, 1.25 * (sorted[Math.floor(0.97 * (sorted.length - 1))] ?? 0));
  return chart({
    title: 'Expected against reported',
    note: 'How far the expectation was from the count the provider reported; above zero it expected too much.',
    lines: [{label: 'error', color: '--accent', values: errors, style: 'bars'}],
    formatAxis: (value) => signedPercent(value, reach < 0.02 ? 1 : 0),
    format: (value) => signedPercent(value),
    range: () => [-reach, reach],
    details: (index) => [`expected ${count(calls[index]?.expected)}, reported ${count(calls[index]?.reported)}`],
  });
}

function cacheChart({calls}: SessionView): Chart {
  const cached = calls.map((call) => call.cachedShare);
  return chart({
    title: 'Cache-stable share',
    note: 'How much of each request begins exactly like the one before: what a prompt cache can give at best.',
    lines: [
      {label: 'stable', color: '--accent', values: calls.map((call) => call.stableShare), style: 'area'},
      ...(cached.some((share) => share !== undefined)
        ? [{label: 'read from the cache, as reported', color: '--muted', values: cached, width: 1}]
        : []),
    ],
    formatAxis: (value) => percent(value, 0),
    format: percent,
    range: () => [0, 1.02],
  });
}

/** Tokens of each call under each policy. */
export function policyChart({comparison, window}: SessionView): Chart | undefined {
  if (comparison === undefined) {
    return undefined;
  }
  return chart({
    title: 'Policies side by side',
    note: 'Prompt tokens of each request, replayed under each policy.',
    lines: comparison.rows.map(({name, tokensByCall}, index) => ({
      label: name,
      color: POLICY_COLORS[index % POLICY_COLORS.length] ?? '--muted',
      values: tokensByCall,
      ...(index === 0 ? {width: 1, dash: [3, 3]} : {}),
    })),
    levels: window ? [{label: `window ${short(window.contextTokens)}`, value: window.contextTokens}] : [],
    formatAxis: short,
    format: count,
    range: (_, high) => [0, 1.06 * Math.max(high, window?.contextTokens ?? 0, 1)],
  });
}
