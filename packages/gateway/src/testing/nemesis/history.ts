import { checkOperations, type OperationsHistory } from '../kill/check-operations.js';
import { checkSessions, type SessionsHistory } from '../kill/check-sessions.js';
import { checkStreams, type StreamsHistory } from '../kill/check-streams.js';

/** Everything that anyone was told in a run, and what the journal says. */
export interface NemesisHistory {
  /** The injected faults, one per line. */
  readonly faults: readonly string[];
  readonly operations: OperationsHistory;
  readonly sessions: SessionsHistory;
  readonly streams: StreamsHistory;
  /** The problems `verify` reports. */
  readonly damage: readonly unknown[];
  /** Gateways that exited without being killed. */
  readonly crashes: readonly string[];
}

/** Returns the problems. */
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
