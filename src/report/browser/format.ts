import {shareText} from '../number-text.ts';

const DASH = '–';

/** `12,345`. */
export function count(value: number | undefined): string {
  return value === undefined ? DASH : Math.round(value).toLocaleString('en');
}

/** `12.3k`, `1.2M`: for axes and large sums. */
export function short(value: number): string {
  return new Intl.NumberFormat('en', {notation: 'compact', maximumFractionDigits: value < 10_000_000 ? 1 : 0}).format(
    value,
  );
}

/** `95.6 %`. */
export function percent(share: number | undefined, digits = 1): string {
  return share === undefined || !Number.isFinite(share) ? DASH : shareText(share, digits);
}

/** `+0.4 %`. */
export function signedPercent(share: number | undefined, digits = 2): string {
  const text = percent(share, digits);
  return share !== undefined && Number.parseFloat(text) > 0 ? `+${text}` : text;
}

export function time(milliseconds: number): string {
  return milliseconds === 0 ? DASH : new Date(milliseconds).toLocaleString();
}

/** `1 answer`, `2 answers`. */
export function plural(amount: number, noun: string): string {
  return `${count(amount)} ${noun}${amount === 1 ? '' : 's'}`;
}
