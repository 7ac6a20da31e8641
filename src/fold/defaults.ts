/** Estimated tokens above which `FoldTransform` folds. */
export const DEFAULT_BUDGET = 100_000;

/** Contents at the end of the list that a fold keeps as they are. */
export const DEFAULT_KEEP_LAST = 4;

/** The most output tokens a summary may have; half the budget when that is less. */
export const DEFAULT_SUMMARY_MAX_OUTPUT_TOKENS = 8192;

/** Milliseconds that one summary call may take. */
export const DEFAULT_TIMEOUT_MS = 120_000;

/** UTF-16 code units of one tool body in the text that the summariser reads. */
export const DEFAULT_MAX_BODY_CHARS = 8_000;

/** Folds that a `FoldTransform` remembers; the oldest is forgotten first. */
export const REMEMBERED_FOLDS = 8;
