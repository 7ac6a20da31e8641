import type {Event} from '@google/adk';
import type {SessionKey} from '../session-key.ts';
import type {CalibrationRecord, CompactionRecord, FailedFoldRecord} from '../store/records.ts';

/** A session that was recorded somewhere, as plain data. */
export interface RecordedSession {
  readonly key: SessionKey;
  /** Keys with their `app:` and `user:` prefixes. */
  readonly state: Readonly<Record<string, unknown>>;
  /** In the order of appending; times in milliseconds. */
  readonly events: readonly Event[];
  /** Milliseconds since the epoch. */
  readonly lastUpdateTime: number;
  /** What compaction recorded when the session ran; absent where none did. */
  readonly compaction?: StoredCompaction;
}

/** What a store knows of compaction in a session: records, failed folds and samples, each oldest first. */
export interface StoredCompaction {
  readonly records: readonly CompactionRecord[];
  readonly failedFolds: readonly FailedFoldRecord[];
  readonly samples: readonly CalibrationRecord[];
}
