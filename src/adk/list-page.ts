import type {ListSessionsRequest, ListSessionsResponse} from '@google/adk';
import {InvalidOptionsError} from '../errors.ts';

/** The part of a listing that was asked for, in rows and in ADK's words. */
export interface ListPage {
  /** -1 for all. */
  readonly limit: number;
  readonly offset: number;
  /** How ADK's response describes this page when `totalItems` match. */
  describe(totalItems: number): Omit<ListSessionsResponse, 'sessions'>;
}

/**
 * Reads `limit`, `page` and `offset` as ADK's services do: `page` counts from 1, goes before `offset`, and means nothing
 * without `limit`. Throws `InvalidOptionsError` for a number that is no whole number, or too small.
 */
export function toListPage({limit, page, offset = 0}: ListSessionsRequest): ListPage {
  requireAtLeast(0, 'limit', limit);
  requireAtLeast(1, 'page', page);
  requireAtLeast(0, 'offset', offset);
  if (limit === undefined) {
    const describe = (totalItems: number) => ({
      page: 1,
      limit: totalItems,
      totalItems,
      totalPages: Math.min(totalItems, 1),
    });
    return {limit: -1, offset, describe};
  }
  const first = page === undefined ? offset : (page - 1) * limit;
  const number = page ?? (limit === 0 ? 1 : Math.floor(first / limit) + 1);
  const describe = (totalItems: number) => ({
    page: number,
    limit,
    totalItems,
    totalPages: limit === 0 ? 0 : Math.ceil(totalItems / limit),
  });
  return {limit, offset: first, describe};
}

/** Throws `InvalidOptionsError` naming `field` unless `value` is left out or a whole number of `least` or more. */
export function requireAtLeast(least: number, field: string, value: number | undefined): void {
  if (value === undefined || (Number.isSafeInteger(value) && value >= least)) {
    return;
  }
  throw new InvalidOptionsError(field, `must be a whole number, ${least} or more (seen: ${value}).`);
}
