/**
 * One request and its nine figures, pinned for every version. Written out by hand: the canonical text from the rules of
 * `canonicalJson`, its bytes counted, the counts by reading the request. A change to a figure is a decision, not a repair.
 */
export interface EstimateVector {
  readonly name: string;
  readonly request: unknown;
  readonly media: 'bytes' | 'modality';
  /** Canonical JSON of `{model, contents, config}`, what has no JSON form or is never sent left out. */
  readonly canonical: string;
  /** canonicalBytes, rawTokens, contents, parts, functions, binaries, toolDeclarations, overheadTokens, tokens. */
  readonly figures: readonly [number, number, number, number, number, number, number, number, number];
}
