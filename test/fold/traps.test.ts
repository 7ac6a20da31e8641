import {readFileSync} from 'node:fs';
import {expect, it} from 'vitest';

/** Known ways to get a fold wrong, and the test that each would fail. */
const traps: readonly (readonly [number, string, string, string])[] = [
  [1, 'a lock held across the summary call', 'concurrency', '67: another conversation in between changes nothing'],
  [
    2,
    'an unserialisable prefix matches everything',
    'reuse',
    '26: a prefix that cannot be serialised serves one call and matches nothing',
  ],
  [
    3,
    'a later fold made from the raw history',
    'reuse',
    '21: refolds from the summary in use, not from what lies under it',
  ],
  [
    4,
    'after an abort nothing is written',
    'scope-folds-store',
    '64, 71: an aborted fold is written although the signal is aborted, without a hash',
  ],
  [
    5,
    "the summary call looks like an agent's call",
    'request',
    '34: holds the record, the prompt and an output cap, and nothing else',
  ],
  [
    6,
    'pins kept where a restart does not look',
    'scope-folds-store',
    '70, 74: another process goes on with the same bytes, without a call',
  ],
  [
    7,
    "the report's output also holds the pins",
    'pins',
    '28: a pinned content stands between summary and kept end, and is summarised too',
  ],
  [
    8,
    'the report read from shared memory',
    'concurrency',
    '69: a report is not changed by what happens while it is read',
  ],
  [
    10,
    'the place of the cut looked up in a shortened list',
    'reuse',
    '21: refolds from the summary in use, not from what lies under it',
  ],
  [11, 'the summariser answers with a call', 'judging', '39: asks once more after an answer without text'],
  [12, 'ids of calls inside a fold come again', 'reuse', 'a call inside the fold may come again under the same id'],
  [
    13,
    'a summary larger than its input is applied',
    'judging',
    '44: a summary as large as its input is too large; one smaller is not',
  ],
  [14, 'the partial text of a cut summary is applied', 'judging', '43: %s is incomplete, and the text appears nowhere'],
  [
    15,
    'the size check weighs the whole item',
    'minimum-and-options',
    '15: minFold 0 folds whatever is over budget, also when that makes it larger',
  ],
  [
    16,
    'two calls and a failure record on every turn',
    'back-off',
    '49: %s: asks again when the part to fold has grown by keepLast contents',
  ],
  [17, 'no output cap', 'request', '35: caps the output of budget %i at %s'],
  [18, 'the failed report has no call data', 'judging', '40: two answers without text leave the list as it is'],
  [19, 'a second observer replaces the first', 'observers', '58: all are called in order, null entries skipped'],
  [
    20,
    'the split moves only if the first kept content is an answer',
    'budget-and-split',
    '7: the answer lies deep in the kept end',
  ],
  [21, 'no text twice fails every later turn', 'judging', '40: two answers without text leave the list as it is'],
  [22, 'tiny prefixes folded in vain', 'minimum-and-options', 'the default minFold of budget %i is %i'],
  [23, 'the back-off lives in memory only', 'restart', '72: both memories from the report: the back-off holds'],
  [
    24,
    'thoughts sent to a summariser that refuses them',
    'request',
    '37: thoughts are stripped from the request, not from the kept end and not from the weights',
  ],
  [
    25,
    'contents after a restart differ from the live ones',
    'public-bugs',
    'a stored form of the same contents is the same prefix',
  ],
  [
    26,
    'state looked for only in the shortened list',
    'pins',
    'asks about the whole prefix at every fold: no pin is lost, doubled or kept against the predicate',
  ],
  [27, 'no way to switch the back-off off', 'back-off', '55: a seed is inert without back-off'],
  [28, 'a host that holds only the recorder cannot seed', 'restart', '74: the same bytes as before, without a call'],
  [29, 'comparing encoded bytes', 'public-bugs', 'a stored form of the same contents is the same prefix'],
  [
    30,
    'several folds of one history applied together',
    'reuse',
    'uses the longest of several matching folds, never two together',
  ],
];

/** 9, a column that the decoder forgets, is for the store's contract: its round trip covers every column. */
it.each(traps)('trap %i, %s, is pinned', (_, _trap, file, title) => {
  const source = readFileSync(new URL(`./${file}.test.ts`, import.meta.url), 'utf8');
  expect(source.replaceAll("\\'", "'")).toContain(title);
});

it('every trap is in the table', () => {
  expect(new Set(traps.map(([number]) => number)).size).toBe(29);
});
