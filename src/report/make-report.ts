import type {ReplayDocument} from '../replay/replay-document.ts';
import {reportPage} from './page.ts';
import type {SessionView} from './view.ts';
import {replayedSessionView} from './view-model.ts';

/** A page that stands on its own. */
export function staticReport(views: readonly SessionView[], generatedAt: number): string {
  return reportPage({generatedAt, isLive: false, sessions: views.map(({name}) => name), views});
}

/** The page of a replay. */
export function replayedReport(replay: ReplayDocument, generatedAt: number): string {
  return staticReport(
    replay.sessions.map((session) => replayedSessionView(replay, session)),
    generatedAt,
  );
}
