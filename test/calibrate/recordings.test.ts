import {describe, expect, it} from 'vitest';
import {RECORDINGS, replayCodingSession, replayGeminiRequests, summarise} from '../../bench/accuracy-recordings.ts';

describe.skipIf(RECORDINGS === undefined)('recordings (skipped where ADK_COMPACTION_RECORDINGS is not set)', () => {
  it('Gemini requests: cold within 10 % on average, from the second call within 6 %, half of them within 3 %', () => {
    const {cold, later} = replayGeminiRequests(RECORDINGS ?? '');
    expect(cold).toHaveLength(78);
    expect(summarise(cold).mean).toBeLessThanOrEqual(10);
    expect(later.length).toBeGreaterThan(30);
    expect(summarise(later).mean).toBeLessThanOrEqual(6);
    expect(summarise(later).median).toBeLessThanOrEqual(3);
  });

  it.each([
    ['in one process', undefined],
    ['with a restart in the middle', 215],
  ])(
    'coding session of another provider, %s: past 20,000 tokens p95 within 0.5 %, worst within 3 %',
    (_, restartAt) => {
      const calls = replayCodingSession(RECORDINGS ?? '', restartAt);
      expect(calls).toHaveLength(431);
      const summary = summarise(calls.filter(({reported}) => reported > 20_000));
      expect(summary.calls).toBeGreaterThan(400);
      expect(summary.p95).toBeLessThanOrEqual(0.5);
      expect(summary.worst).toBeLessThanOrEqual(3);
    },
  );
});
