/** Tokens of a text, as a float. */
export function predictText(text: string): number {
  return text.length / 3.5;
}
