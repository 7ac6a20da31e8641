/**
 * `text` in at most `maxChars` UTF-16 code units where the mark fits in them: head and tail stay, between them stands how
 * much is missing. No surrogate pair is cut. A text that would not get shorter is given back as it is.
 */
export function clip(text: string, maxChars: number): string {
  if (text.length <= maxChars) {
    return text;
  }
  const room = Math.max(maxChars - mark(text.length).length, 0);
  const headEnd = Math.ceil(room / 2);
  const tailStart = text.length - Math.floor(room / 2);
  const end = cutsPair(text, headEnd) ? headEnd - 1 : headEnd;
  const start = cutsPair(text, tailStart) ? tailStart + 1 : tailStart;
  const clipped = text.slice(0, end) + mark(start - end) + text.slice(start);
  return clipped.length < text.length ? clipped : text;
}

function mark(missing: number): string {
  return `[… ${missing} characters left out …]`;
}

function cutsPair(text: string, index: number): boolean {
  return isBetween(text.charCodeAt(index - 1), 0xd800, 0xdbff) && isBetween(text.charCodeAt(index), 0xdc00, 0xdfff);
}

function isBetween(unit: number, low: number, high: number): boolean {
  return unit >= low && unit <= high;
}
