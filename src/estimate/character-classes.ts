/**
 * Kinds of UTF-16 units that a tokenizer treats alike. `rare` and `rarest` are letters that English seldom uses, and an
 * `openVowel` one that English words seldom end in: together they tell its words, which are mostly one token, from those
 * of other languages and from random letters.
 */
export const CHARACTER_CLASSES = [
  'openVowel',
  'plain',
  'rare',
  'rarest',
  'accented',
  'umlaut',
  'extended',
  'vietnamese',
  'upper',
  'digit',
  'space',
  'tab',
  'newline',
  'mark',
  'rule',
  'angle',
  'greek',
  'cyrillic',
  'ukrainian',
  'hebrew',
  'arabic',
  'indic',
  'thai',
  'otherScript',
  'hangul',
  'kana',
  'han',
  'traditionalHan',
  'wideMark',
  'symbol',
  'emoji',
  'astral',
  'joiner',
  'lowSurrogate',
] as const;

export type CharacterClass = (typeof CHARACTER_CLASSES)[number];

/** Where a class begins; it ends where the next one begins. */
const RANGES: readonly (readonly [first: number, CharacterClass])[] = [
  [0x00, 'mark'],
  [0x30, 'digit'],
  [0x3a, 'mark'],
  [0x41, 'upper'],
  [0x5b, 'mark'],
  [0x61, 'plain'],
  [0x7b, 'mark'],
  [0x7f, 'symbol'],
  [0xc0, 'accented'],
  [0x100, 'extended'],
  [0x2b0, 'joiner'],
  [0x370, 'greek'],
  [0x400, 'cyrillic'],
  [0x530, 'otherScript'],
  [0x590, 'hebrew'],
  [0x600, 'arabic'],
  [0x900, 'indic'],
  [0xe00, 'thai'],
  [0xf00, 'otherScript'],
  [0x1100, 'hangul'],
  [0x1200, 'otherScript'],
  [0x1e00, 'vietnamese'],
  [0x1f00, 'greek'],
  [0x2000, 'symbol'],
  [0x200b, 'joiner'],
  [0x2010, 'symbol'],
  [0x2600, 'emoji'],
  [0x27c0, 'symbol'],
  [0x2c00, 'otherScript'],
  [0x3000, 'wideMark'],
  [0x3040, 'kana'],
  [0x3100, 'wideMark'],
  [0x3400, 'han'],
  [0xa000, 'otherScript'],
  [0xac00, 'hangul'],
  [0xd800, 'astral'],
  [0xd83c, 'emoji'],
  [0xd83f, 'astral'],
  [0xdc00, 'lowSurrogate'],
  [0xe000, 'astral'],
  [0xf900, 'han'],
  [0xfb00, 'arabic'],
  [0xfe00, 'joiner'],
  [0xfe10, 'wideMark'],
  [0xfe70, 'arabic'],
  [0xfeff, 'joiner'],
  [0xff00, 'wideMark'],
  [0xff61, 'kana'],
  [0xffa0, 'symbol'],
];

/** Characters that are classed on their own. */
const SINGLES: Readonly<Partial<Record<CharacterClass, string>>> = {
  space: ' ',
  tab: '\t',
  newline: '\n\r\u2028\u2029',
  rule: '-=*_#~.',
  angle: '</',
  openVowel: 'aiou',
  rare: 'vzq',
  rarest: 'jk',
  umlaut: 'äöåüøæßÄÖÅÜØÆ',
  ukrainian: 'іїєґІЇЄҐ',
  traditionalHan:
    '個們為這國來時會說對發經學進過動種與關於條權點無從應實現開間題體當處長問見將後機員區產業義務護' +
    '類參數檔錯誤設選項變別匯標記號運傳遞輸屬樣價單雙該頁組織結構達檢查際資訊認證據',
};

/** The class of every UTF-16 unit, as an index into `CHARACTER_CLASSES`. */
export const CLASS_OF_UNIT: Uint8Array = classOfUnit();

function classOfUnit(): Uint8Array {
  const table = new Uint8Array(0x10000);
  for (const [first, name] of RANGES) {
    table.fill(CHARACTER_CLASSES.indexOf(name), first);
  }
  CHARACTER_CLASSES.forEach((name, index) => {
    for (const character of SINGLES[name] ?? '') {
      table[character.charCodeAt(0)] = index;
    }
  });
  return table;
}
