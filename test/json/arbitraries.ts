import fc, {type Arbitrary} from 'fast-check';

/** Text with everything that JSON escapes and UTF-8 stretches. */
export function awkwardText(): Arbitrary<string> {
  const unit = fc.oneof(
    fc.string({unit: 'grapheme', maxLength: 4}),
    fc.constantFrom(
      '"',
      '\\',
      '\n',
      '\b',
      '\u0000',
      '\u001f',
      '\u007f',
      'é',
      '\u07ff',
      '\u0800',
      '\u2028',
      '日',
      '\uffff',
      '🎉',
    ),
    fc.constantFrom('\ud83d', '\udf89'),
  );
  return fc.array(unit, {maxLength: 60}).map((units) => units.join(''));
}

/** Plain JSON values, keys like `10`, `__proto__` and `toString` among them. */
export function plainJson(): Arbitrary<unknown> {
  const key = fc.oneof(fc.string({maxLength: 6}), fc.constantFrom('9', '10', 'constructor', 'toString'), awkwardText());
  return fc.letrec<{value: unknown}>((tie) => ({
    value: fc.oneof(
      {maxDepth: 4},
      fc.constantFrom(null, true, false),
      fc.double({noNaN: true, noDefaultInfinity: true}),
      awkwardText(),
      fc.array(tie('value'), {maxLength: 5}),
      fc.dictionary(key, tie('value'), {maxKeys: 6}),
    ),
  })).value;
}

/** Anything without a cycle whose members can all be read: what JSON.stringify takes and what it does not. */
export function anyValue(): Arbitrary<unknown> {
  return fc.letrec<{value: unknown}>((tie) => ({
    value: fc.oneof(
      {maxDepth: 4},
      fc.anything({
        withBigInt: true,
        withBoxedValues: true,
        withDate: true,
        withMap: true,
        withSet: true,
        withNullPrototype: true,
        withSparseArray: true,
        withTypedArray: true,
        withUnicodeString: true,
      }),
      awkwardText(),
      fc.constantFrom(undefined, Symbol('s'), () => 1, -0, Number.NaN, 10n, new Date(Number.NaN)),
      fc.constantFrom(
        Object(1n),
        Object(Symbol('s')),
        Buffer.from('bytes'),
        new ArrayBuffer(3),
        new DataView(new ArrayBuffer(2)),
      ),
      tie('value').map((inner) => ({toJSON: () => inner})),
      fc.array(tie('value'), {maxLength: 4}),
      fc.dictionary(fc.oneof(awkwardText(), fc.constantFrom('1', '__proto__')), tie('value'), {maxKeys: 4}),
      tie('value').map((inner) =>
        JSON.parse('{"__proto__":0}', (key, member) => (key === '__proto__' ? inner : member)),
      ),
    ),
  })).value;
}
