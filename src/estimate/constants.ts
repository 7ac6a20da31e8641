/** UTF-8 bytes of canonical JSON that count as one token in the pinned estimate. */
export const BYTES_PER_TOKEN = 4;
/** Tokens added for each content, the system instruction counted as one. */
export const CONTENT_OVERHEAD_TOKENS = 4;
/** Tokens added for each part. */
export const PART_OVERHEAD_TOKENS = 1;
/** Tokens added for each function call, function response, server tool call and server tool response. */
export const FUNCTION_OVERHEAD_TOKENS = 8;
/** Tokens added for each part with inline data or a thought signature, and each inline data inside a function response. */
export const BINARY_OVERHEAD_TOKENS = 16;
/** Tokens added for each function declaration. */
export const TOOL_DECLARATION_OVERHEAD_TOKENS = 12;
