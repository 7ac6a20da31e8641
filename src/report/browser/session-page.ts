import {dollarTexts} from '../number-text.ts';
import type {CutView, SessionView, ShareView} from '../view.ts';
import {type Child, element, table} from './dom.ts';
import {count, percent, plural, short, time} from './format.ts';
import {policyChart, sessionCharts} from './session-charts.ts';

/** A session's part of the page. `start` draws the charts once the node is in the page, and gives what removes them. */
export function sessionPage(view: SessionView): {readonly node: HTMLElement; start(): () => void} {
  const charts = sessionCharts(view);
  const comparison = policyChart(view);
  const node = element(
    'div',
    {class: 'session'},
    keyFigures(view),
    view.calls.length === 0 ? empty('No model call is recorded in this session yet.') : undefined,
    charts.map((chart) => chart.node),
    comparison && [comparison.node, policies(view)],
    cuts(view),
    view.failedFolds.length > 0 ? failedFolds(view) : undefined,
    shares(view),
  );
  return {
    node,
    start: () => {
      const ends = [...charts, ...(comparison ? [comparison] : [])].map((chart) => chart.start());
      return () => {
        for (const end of ends) {
          end();
        }
      };
    },
  };
}

function keyFigures({calls, cuts, failedFolds, window, origin}: SessionView): HTMLElement {
  const reported = calls.flatMap((call) => call.reported ?? []);
  const peak = Math.max(...reported, 0);
  const errors = calls
    .flatMap((call) => (call.expected && call.reported ? Math.abs(call.expected - call.reported) / call.reported : []))
    .sort((one, other) => one - other);
  const stable = calls.reduce((sum, call) => sum + (call.stableShare ?? 0) * (call.reported ?? 0), 0);
  const total = reported.reduce((sum, tokens) => sum + tokens, 0);
  const saved = cuts.reduce((sum, cut) => sum + cut.tokensBefore - cut.tokensAfter, 0);
  const of = (kind: CutView['kind']): CutView[] => cuts.filter((cut) => cut.kind === kind);
  const items = (kind: CutView['kind']): number => of(kind).reduce((sum, cut) => sum + cut.count, 0);
  const figures: [label: string, value: string, note: string][] = [
    ['Model calls', count(calls.length), origin === 'replay' ? 'replayed' : `${count(reported.length)} with a count`],
    ['Peak', peak > 0 ? short(peak) : '–', window ? `${percent(peak / window.contextTokens)} of the window` : 'tokens'],
    ['Sent', total > 0 ? short(total) : '–', 'tokens in all requests'],
    [
      'Cut away',
      saved > 0 ? short(saved) : '–',
      `${plural(items('elision'), 'answer')}, ${plural(of('fold').length, 'fold')}, ${plural(items('drop'), 'turn')}`,
    ],
    ['Typical error', percent(errors[Math.floor(errors.length / 2)], 2), 'median, expected against reported'],
    [
      'Cache-stable',
      total > 0 && stable > 0 ? percent(stable / total) : '–',
      failedFolds.length > 0 ? plural(failedFolds.length, 'failed fold') : 'of what was sent',
    ],
  ];
  return element(
    'dl',
    {class: 'figures'},
    figures.map(([label, value, note]) =>
      element('div', {}, element('dt', {}, label), element('dd', {}, value), element('dd', {class: 'note'}, note)),
    ),
  );
}

function cuts({cuts: all, origin, backOffs}: SessionView): HTMLElement {
  const none = {
    store: 'Nothing was cut: every request stayed below the trigger.',
    replay: 'Nothing would have been cut: every request stays below the trigger.',
    recording:
      'This session ran without compaction. To see what a policy would do: adk-compaction replay FILE --report report.html',
  };
  const rows = all.map((cut) => [
    count(cut.call + 1),
    {elision: 'elided', fold: 'folded', drop: 'dropped'}[cut.kind],
    whatWasCut(cut),
    count(cut.tokensBefore),
    count(cut.tokensAfter),
    `−${percent((cut.tokensBefore - cut.tokensAfter) / cut.tokensBefore, 0)}`,
  ]);
  return section(
    'What was cut',
    all.length === 0
      ? empty(none[origin])
      : table(
          [
            {title: 'Call', isNumber: true},
            {title: 'Kind'},
            {title: 'What'},
            {title: 'Before', isNumber: true},
            {title: 'After', isNumber: true},
            {title: 'Saved', isNumber: true},
          ],
          rows,
        ),
    backOffs.map(({agent, since, reason}) =>
      element(
        'p',
        {class: 'alert'},
        `${agent} backs off since ${time(since)}: no summary is asked for until the history has grown (${reason}).`,
      ),
    ),
  );
}

function whatWasCut({kind, count: items, tools, summary, agent}: CutView): Child {
  switch (kind) {
    case 'elision':
      return [`${plural(items, 'answer')}: `, tools.map(({name, count: times}) => `${name} ×${times}`).join(', ')];
    case 'drop':
      return plural(items, 'turn');
    case 'fold':
      return element(
        'details',
        {'data-key': `${agent}/${items}`},
        element('summary', {}, `${plural(items, 'content')}, by a summary`),
        element('div', {class: 'summary'}, summary ?? 'No summary text was kept.'),
      );
  }
}

function failedFolds({failedFolds: failures}: SessionView): HTMLElement {
  return section(
    'Folds that failed',
    table(
      [
        {title: 'Call', isNumber: true},
        {title: 'Time'},
        {title: 'Agent'},
        {title: 'Reason'},
        {title: 'Attempts', isNumber: true},
        {title: 'Tokens', isNumber: true},
      ],
      failures.map(({call, time: at, agent, reason, attempts, tokens}) => [
        count(call + 1),
        time(at),
        agent,
        reason,
        count(attempts),
        count(tokens),
      ]),
    ),
  );
}

function shares({shares: all}: SessionView): HTMLElement {
  const total = all.reduce((sum, share) => sum + share.tokens, 0);
  const largest = all[0]?.tokens ?? 1;
  const names = {user: 'user', model: 'model text', thought: 'thoughts'};
  const label = ({kind, name}: ShareView): Child =>
    kind === 'tool' ? element('code', {}, name === '' ? 'unnamed' : name) : names[kind];
  const bar = ({tokens, kind}: ShareView): Child => {
    const inner = element('span', {class: kind === 'tool' ? 'bar tool' : 'bar'});
    inner.style.width = `${Math.max((100 * tokens) / largest, 0.5)}%`;
    return element('div', {class: 'track'}, inner);
  };
  return section(
    'Where the tokens are',
    total === 0
      ? empty('The events of this session are not in the file.')
      : table(
          [
            {title: 'Source'},
            {title: ''},
            {title: 'Share', isNumber: true},
            {title: 'Tokens', isNumber: true},
            {title: 'Parts', isNumber: true},
          ],
          all.map((share) => [
            label(share),
            bar(share),
            percent(share.tokens / total),
            count(share.tokens),
            count(share.parts),
          ]),
        ),
    element('p', {class: 'note'}, "Predicted tokens of the whole history; a tool's calls and answers together."),
  );
}

function policies({comparison}: SessionView): Child {
  if (comparison === undefined) {
    return undefined;
  }
  const {rows, hasPrices} = comparison;
  const costs = dollarTexts(rows.map((row) => row.cost ?? 0));
  const numbers = [
    'Tokens sent',
    'Cache-stable',
    'Peak',
    'Over window',
    'Cuts',
    'Elided',
    'Folds',
    'Dropped',
    ...(hasPrices ? ['Cost'] : []),
  ];
  return section(
    undefined,
    table(
      [{title: 'Policy'}, ...numbers.map((title) => ({title, isNumber: true}))],
      rows.map((row, index) => [
        [element('strong', {}, row.name), element('div', {class: 'note'}, row.settings)],
        short(row.tokens),
        percent(row.stableShare),
        count(row.peakTokens),
        count(row.overWindow),
        count(row.cuts),
        count(row.elisions),
        row.failedFolds > 0 ? `${count(row.folds)} (${count(row.failedFolds)} failed)` : count(row.folds),
        count(row.drops),
        ...(hasPrices ? [row.cost === undefined ? '–' : `$${costs[index]}`] : []),
      ]),
    ),
  );
}

function section(title: string | undefined, ...children: readonly Child[]): HTMLElement {
  return element('section', {}, title === undefined ? undefined : element('h2', {}, title), children);
}

function empty(text: string): HTMLElement {
  return element('p', {class: 'empty'}, text);
}
