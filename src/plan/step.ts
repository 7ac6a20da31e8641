import type {Decision} from '../store/compaction-store.ts';
import type {CoveredItem} from '../store/records.ts';
import type {View} from './view.ts';

/** New decisions of one kind, and the request as they leave it. */
export interface Step {
  readonly kind: Decision['kind'];
  readonly view: View;
  readonly decisions: readonly Decision[];
  /** What was covered, for the record. */
  readonly covers: readonly CoveredItem[];
}
