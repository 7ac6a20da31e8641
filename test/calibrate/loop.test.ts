import {describe, expect, it} from 'vitest';
import {type Piece, runLoop} from '../../bench/accuracy-loop.ts';
import {predictContent} from '../../src/estimate/predict-content.ts';

const WINDOW = 200_000;
const TEXTS = {
  prose:
    'The service answered after the second attempt, so the agent read the log once more and looked for the request. ',
  logs: '2025-03-12T08:14:55.113Z ERROR [worker-12] pool.acquire - retry id=9f3a77c1 took=8123ms status=500 ip=10.4.18.201\n',
  rows: '{"id":10482,"sku":"A7F3-552","price":1249.5,"stock":17,"lat":52.520008,"lon":13.404954},',
};

/** Tool answers of this size, and what a provider with this rate counts for them. */
function pieces(text: string, bytes: number, bytesPerToken: number, count = 300): Piece[] {
  const output = text.repeat(Math.ceil(bytes / text.length)).slice(0, bytes);
  const {millitokens} = predictContent({
    role: 'user',
    parts: [{functionResponse: {name: 'read', response: {output}}}],
  });
  return Array.from({length: count}, () => ({figure: millitokens / 1_000, tokens: bytes / bytesPerToken}));
}

describe('a loop of 300 calls', () => {
  const cases = Object.entries(TEXTS).flatMap(([kind, text]) =>
    [1.88, 4].flatMap((rate) => [2_000, 8_000, 40_000, 160_000].map((bytes) => ({kind, text, rate, bytes}))),
  );

  it.each(cases)('of $bytes bytes of $kind at $rate bytes a token never leaves the window', ({text, rate, bytes}) => {
    for (const surplus of [0, 20_000]) {
      const {calls} = runLoop(pieces(text, bytes, rate), {contextTokens: WINDOW, surplus});
      expect(calls.slice(1).filter(({reported}) => reported > WINDOW)).toEqual([]);
    }
  });

  it('goes over the window when nothing is reported, so that the test above says something', () => {
    const {calls} = runLoop(pieces(TEXTS.prose, 8_000, 1.88), {contextTokens: WINDOW, report: () => undefined});
    expect(calls.filter(({reported}) => reported > WINDOW).length).toBeGreaterThan(100);
  });

  it('compacts a handful of times, not on every call', () => {
    const {compactions} = runLoop(pieces(TEXTS.logs, 8_000, 1.88), {contextTokens: WINDOW});
    expect(compactions.length).toBeGreaterThan(10);
    expect(compactions.length).toBeLessThan(30);
  });

  it('survives a report that is missing or odd now and then', () => {
    const report = (reported: number, call: number): number | undefined =>
      call % 7 === 3 ? undefined : call % 11 === 5 ? 0 : reported;
    const {calls} = runLoop(pieces(TEXTS.prose, 8_000, 1.88), {contextTokens: WINDOW, report});
    expect(calls.slice(1).filter(({reported}) => reported > WINDOW)).toEqual([]);
  });

  it('a surplus seen in small turns leaves the budget of large ones whole', () => {
    const small = pieces(TEXTS.prose, 400, 4.2, 20);
    const large = pieces(TEXTS.prose, 8_000, 4.2, 60);
    const {calls, compactions} = runLoop([...small, ...large], {contextTokens: WINDOW, surplus: 15_000});
    expect(calls.at(-1)?.reported).toBeGreaterThan(125_000);
    expect(compactions).toEqual([]);
  });
});
