import {describe, expect, it} from 'vitest';
import {CompactionError, FoldError, InvalidOptionsError, SummaryNoTextError} from '../../src/index.ts';

describe('isInstance', () => {
  it.each([
    ['its own class', InvalidOptionsError, new InvalidOptionsError('policy', 'no'), true],
    ['the base class', CompactionError, new InvalidOptionsError('policy', 'no'), true],
    ['a class between', FoldError, new SummaryNoTextError(), true],
    ['a sibling', InvalidOptionsError, new FoldError('error', 'no'), false],
    ['a class above', SummaryNoTextError, new FoldError('error', 'no'), false],
    ['a stranger', CompactionError, new Error('no'), false],
    ['nothing', CompactionError, null, false],
  ])('knows %s', (_, type: typeof CompactionError, value, expected) => {
    expect(type.isInstance(value)).toBe(expected);
  });

  it('knows an error of another copy of the package', () => {
    const error = new FoldError('error', 'no');
    const copy = Object.create(Error.prototype, Object.getOwnPropertyDescriptors(error));
    expect(copy instanceof FoldError).toBe(false);
    expect(FoldError.isInstance(copy)).toBe(true);
  });
});
