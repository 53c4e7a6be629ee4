import { checkOperations, type OperationsHistory } from '../kill/check-operations.js';
import { checkSessions, type SessionsHistory } from '../kill/check-sessions.js';
import { checkStreams, type StreamsHistory } from '../kill/check-streams.js';

/** Everything that anybody was told in a run, beside what the journal says. */
export interface NemesisHistory {
  /** Faults that were made, one in a line. */
  readonly faults: readonly string[];
  readonly operations: OperationsHistory;
  readonly sessions: SessionsHistory;
  readonly streams: StreamsHistory;
  /** What `verify` says is wrong. */
  readonly damage: readonly unknown[];
  /** Gateways that ended although nobody killed them. */
  readonly crashes: readonly string[];
}

/** Nothing is wrong if nothing is returned. */
export function checkHistory(history: NemesisHistory): readonly string[] {
  const { operations, sessions, streams, damage, crashes } = history;
  return [
    ...damage.map((one) => `verify: ${JSON.stringify(one)}`),
    ...crashes,
    ...checkOperations(operations),
    ...checkSessions(sessions),
    ...checkStreams(streams),
  ];
}
