/**
 * The space of a journal for all negotiations, in order of acceptance. No space of operations can
 * have this name.
 */
export const NEGOTIATION_SPACE = 'system:macp';

/** The stream of the policy registry. */
export const POLICY_STREAM = `${NEGOTIATION_SPACE}/policies`;

/** The stream of the extension modes. */
export const MODE_STREAM = `${NEGOTIATION_SPACE}/modes`;

const SESSIONS = `${NEGOTIATION_SPACE}/session/`;

/** The stream of a session; the version of a record in it is the sequence number of its message (N-6). */
export function sessionStream(sessionId: string): string {
  return `${SESSIONS}${sessionId}`;
}

/** The session that a stream belongs to; `undefined` for the streams of the registries. */
export function sessionOfStream(stream: string): string | undefined {
  return stream.startsWith(SESSIONS) ? stream.slice(SESSIONS.length) : undefined;
}
