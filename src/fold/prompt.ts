/** Asks for a summary that the conversation can go on from. The last content of every summary request. */
export const DEFAULT_SUMMARY_PROMPT = `Summarise everything above so that the conversation can go on without it.

Keep every fact, decision, constraint and open question, and every identifier exactly as written: files, ids, URLs, numbers. Keep what the user asked for, in the user's own words where they bind. Keep the result of every tool call.

If the record opens with an earlier summary, merge what it says into yours; do not repeat it and do not lose any of it.

Write in the third person, in prose or short lists, without a preamble.`;
