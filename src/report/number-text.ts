/** `95.6 %`. What rounds to nothing has no sign. */
export function shareText(share: number, digits: number): string {
  const text = (100 * share).toFixed(digits);
  return `${Number(text) === 0 ? text.replace('-', '') : text} %`;
}

const DIGITS = {fewest: 2, most: 6};

/**
 * Prices in dollars that are to be compared, all with the same number of decimals: cents, or as many as show two figures
 * of the smallest, at most six.
 */
export function dollarTexts(costs: readonly number[]): string[] {
  const smallest = costs.reduce((least, cost) => (cost > 0 ? Math.min(least, cost) : least), Number.POSITIVE_INFINITY);
  const wanted = 1 - Math.floor(Math.log10(smallest));
  const digits = Math.min(Math.max(wanted, DIGITS.fewest), DIGITS.most);
  return costs.map((cost) => cost.toFixed(digits));
}
