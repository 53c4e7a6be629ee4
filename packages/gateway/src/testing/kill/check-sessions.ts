import { repeated } from './check-operations.js';

/** A session that ran while things failed, as its parties know it. */
export interface SessionHistory {
  readonly id: string;
  readonly mode: string;
  /** Acknowledged messages: the id, and the reported sequence number. */
  readonly acknowledged: readonly (readonly [messageId: string, sequence: number])[];
  /** The ids of messages that were refused for good, with no other copy in flight. */
  readonly refused: readonly string[];
  /** The sequence numbers and message ids that each follower saw. */
  readonly seen: readonly (readonly (readonly [sequence: number, messageId: string])[])[];
}

/** A fact about a session from the journal. */
export interface SessionFact {
  readonly session: string;
  readonly version: number;
  readonly messageId: string;
  /** Whether it ended the session. */
  readonly isEnd: boolean;
}

export interface SessionsHistory {
  readonly sessions: readonly SessionHistory[];
  readonly records: readonly SessionFact[];
}

/** Compares what the parties were told with the journal. Returns the problems. */
export function checkSessions({ sessions, records }: SessionsHistory): readonly string[] {
  const bySession = new Map<string, SessionFact[]>(sessions.map(({ id }) => [id, []]));
  for (const record of records) bySession.get(record.session)?.push(record);
  return sessions.flatMap((session) => checkSession(session, bySession.get(session.id) ?? []));
}

function checkSession(
  { id, acknowledged, refused, seen }: SessionHistory,
  records: readonly SessionFact[],
): readonly string[] {
  const told = records.map(({ version, messageId }) => `${version} ${messageId}`);
  const messageIds = records.map(({ messageId }) => messageId);
  const ends = records.filter(({ isEnd }) => isEnd);
  const isEnded = ends.length === 1 && ends[0] === records.at(-1);
  const wrong = [
    ...(records.every(({ version }, index) => version === index + 1) ? [] : ['its versions have gaps']),
    ...repeated(messageIds).map((messageId) => `${messageId} is there more than once`),
    ...(isEnded
      ? []
      : [`it has ${ends.length} outcomes, at ${ends.map(({ version }) => version).join(', ')}`]),
    ...acknowledged
      .filter(([messageId, sequence]) => !told.includes(`${sequence} ${messageId}`))
      .map(([messageId, sequence]) => `${messageId} was acknowledged at ${sequence}, and is not there`),
    ...refused
      .filter((messageId) => messageIds.includes(messageId))
      .map((messageId) => `${messageId} was refused, and is there`),
    ...seen
      .map((messages) => messages.map(([sequence, messageId]) => `${sequence} ${messageId}`))
      .filter((messages) => messages.join() !== told.join())
      .map((messages) => `a follower saw ${messages.join(', ')} where the journal has ${told.join(', ')}`),
  ];
  return wrong.map((what) => `session ${id}: ${what}`);
}
