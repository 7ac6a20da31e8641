import fc from 'fast-check';
import {describe, expect, it} from 'vitest';
import {predictText} from '../../src/estimate/text-cost.ts';
import {countFeatures, FEATURES, type FeatureName} from '../../src/estimate/text-features.ts';
import {TOKEN_WEIGHTS} from '../../src/estimate/weights.ts';

function featuresOf(text: string): Partial<Record<FeatureName, number>> {
  return Object.fromEntries(Object.entries(countFeatures(text)).filter(([, count]) => count > 0));
}

describe('countFeatures', () => {
  it.each<readonly [string, Partial<Record<FeatureName, number>>]>([
    ['', {}],
    ['the log', {wordAfterMark: 1, wordAfterSpace: 1}],
    ['the  log', {wordAfterMark: 2, spaces: 1}],
    ['the   log', {wordAfterMark: 2, spaces: 1}],
    ['data log', {wordAfterMark: 1, openEnd: 1, wordAfterSpace: 1}],
    ['12 34', {digit: 4, spaceBeforeDigit: 1}],
    ['4px', {digit: 1, wordAfterDigit: 1}],
    ['getText', {wordAfterMark: 1, shortHump: 1}],
    ['readText', {wordAfterMark: 1, hump: 1}],
    ['HTMLElement', {wordAfterMark: 1, upperRun: 4, hump: 1}],
    ['prepended', {wordAfterMark: 1, letter8: 2}],
    ['preprocessed', {wordAfterMark: 1, letter8: 2, letter10: 3}],
    ['jazz', {wordAfterMark: 1, rarest: 1, rare: 2}],
    ['été', {wordAfterMark: 1, accented: 2}],
    ['"},{"', {mark: 1}],
    ['a ();', {wordAfterMark: 1, openEnd: 1, markAfterSpace: 1}],
    ['----', {mark: 1, ruleRun: 3}],
    ['</a>', {mark: 2, tagName: 1, openEnd: 1}],
    ['\n\n\t\tx', {newline: 1, tab: 1, wordAfterMark: 1}],
    ['да и нет', {cyrillicWord: 3, cyrillic: 6}],
    ['їжа', {cyrillicWord: 1, cyrillic: 3, ukrainian: 1}],
    ['汉字国', {han: 3}],
    ['國', {han: 1, traditionalHan: 1}],
    ['かな、', {kana: 2, wideMark: 1}],
    ['한국 말', {hangulWord: 2, hangul: 3}],
    ['שלום', {hebrewWord: 1, hebrew: 4}],
    ['हिन्दी', {indicWord: 1, indic: 6}],
    ['ไทย', {thai: 3}],
    ['🎉👍', {emoji: 2}],
    ['❤️', {emoji: 1, joiner: 1}],
    ['\ud800', {astral: 1}],
  ])('%j', (text, features) => {
    expect(featuresOf(text)).toEqual(features);
  });
});

describe('predictText', () => {
  it('is the weighted sum of the features', () => {
    const anyText = fc.oneof(
      fc.string({unit: 'grapheme'}),
      fc.string({unit: 'binary'}),
      fc.string({unit: 'binary-ascii'}),
    );
    fc.assert(
      fc.property(anyText, (text) => {
        const counts = countFeatures(text);
        const sum = FEATURES.reduce((total, name) => total + counts[name] * TOKEN_WEIGHTS[name], 0);
        expect(predictText(text)).toBeCloseTo(sum, 6);
      }),
    );
  });

  it.each([31, 32, 255, 256, 257, 1_001, 32_767, 32_768, 32_769, 70_001])(
    'is the weighted sum of the features at %i characters, ASCII or not',
    (length) => {
      const units = fc.sample(fc.array(fc.integer({min: 0, max: 127}), {minLength: 997, maxLength: 997}), {
        seed: 1,
        numRuns: 1,
      });
      const ascii = String.fromCharCode(...(units[0] ?? []))
        .repeat(Math.ceil(length / 997))
        .slice(0, length);
      for (const text of [ascii, `${ascii.slice(1)}é`]) {
        const counts = countFeatures(text);
        const sum = FEATURES.reduce((total, name) => total + counts[name] * TOKEN_WEIGHTS[name], 0);
        expect(predictText(text)).toBeCloseTo(sum, 4);
      }
    },
  );

  it('is exact for texts of millions of characters', () => {
    const text = '7A'.repeat(2_000_000);
    const perPair = (predictText('7A7A7A') - predictText('7A7A')) * 1_000;
    expect(predictText(text)).toBeCloseTo(
      (Math.round(perPair) * 2_000_000 + (predictText('7A') * 1_000 - perPair)) / 1_000,
      0,
    );
  });

  it('never falls when text is added', () => {
    fc.assert(
      fc.property(fc.string({unit: 'grapheme'}), fc.string({unit: 'grapheme'}), (text, more) => {
        expect(predictText(text + more)).toBeGreaterThanOrEqual(predictText(text) - 1e-9);
      }),
    );
  });

  it.each([
    ['English prose', 'The agent read the log once more and looked for the first line that names the request.', 18],
    ['digits', '1249.5 17 52.520008 13.404954', 29],
    ['a compact row', '{"id":10482,"sku":"A7F3-552","price":1249.5,"stock":17}', 34],
    ['code', 'export function parse(line: string): Entry {\n  return {time, level};\n}\n', 21],
    ['a UUID', 'cf5e366d-da50-9396-9f9e-dd821577b38a', 33],
    ['Chinese', '人人生而自由，在尊严和权利上一律平等。', 14],
    ['Russian', 'Все люди рождаются свободными и равными в своем достоинстве и правах.', 18],
    ['Hindi', 'सभी मनुष्यों को गौरव और अधिकारों के मामले में जन्मजात स्वतन्त्रता', 16],
  ])('%s: near what the Gemma 3 vocabulary gives', (_, text, tokens) => {
    expect(Math.abs(predictText(text) / tokens - 1)).toBeLessThan(0.2);
  });
});
