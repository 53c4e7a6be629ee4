import { JetStreamApiError } from '@nats-io/jetstream';
import { PermissionViolationError, RequestError, TimeoutError } from '@nats-io/transport-node';
import { type Refusal, refuse } from '@proffer/core';
import { defined } from '@proffer/core/json';
import { JournalError } from '../../journal-error.js';
import { StreamReplaced } from '../link/stream-identity.js';

/** The refusal for a foreign message in the journal's stream. */
export function notOurs({ subject, seq }: { readonly subject: string; readonly seq: number }): Refusal {
  return refuse('invalid_record', `Message ${seq} on ${subject} is not a record.`, { subject, seq });
}

/** The refusal for a record whose data is not what its signed hash covers. */
export function altered({ subject, seq }: { readonly subject: string; readonly seq: number }): Refusal {
  const message = `The data of message ${seq} on ${subject} does not match its hash, so no gateway wrote it there.`;
  return refuse('forged_record', message, { subject, seq });
}

/** The refusal for an append that could not be made durable. */
export function cannotReach(error: unknown): Refusal<'unavailable'> {
  const { message } = error instanceof Error ? error : new Error(String(error));
  const code = (error as { readonly code?: unknown }).code;
  if (error instanceof StreamReplaced)
    return refuse('unavailable', `NATS has a different stream: ${message}.`, {
      cause: error.name,
      meaning: message,
    });
  // What the server said, or that there was no answer.
  const cause = typeof code === 'string' || typeof code === 'number' ? String(code) : 'no answer from NATS';
  const meaning = typeof code === 'number' ? MEANINGS.get(code) : undefined;
  return refuse('unavailable', `NATS could not be reached or could not write: ${meaning ?? message}.`, {
    cause,
    ...defined({ meaning }),
  });
}

/** What the codes of JetStream mean to an operator. */
const MEANINGS: ReadonlyMap<number, string> = new Map([
  [10_008, 'most NATS servers are down, or they are electing a leader'],
  [10_009, 'most NATS servers are down, or they are electing a leader'],
  [10_118, 'the stream is offline: most of its NATS servers are down'],
  [10_023, 'the NATS servers have no resources left for the stream'],
  [10_047, 'the NATS servers have no storage left for the stream'],
  [10_077, 'the NATS servers could not store the message'],
]);

/** Whether a retry may succeed in a moment: there was no answer in time, or there is no leader yet. */
export function isTransient(error: unknown): boolean {
  if (error instanceof RequestError) return !(error.cause instanceof PermissionViolationError);
  if (error instanceof TimeoutError) return true;
  return error instanceof JetStreamApiError && NOT_YET.has(error.code);
}

/** No leader, no quorum, not ready yet. */
const NOT_YET: ReadonlySet<number> = new Set([10_008, 10_009, 10_010, 10_118]);

/** The requested value. Throws {@link JournalError} if NATS does not answer. */
export async function reading<Value>(read: Promise<Value>): Promise<Value> {
  try {
    return await read;
  } catch (error) {
    if (error instanceof JournalError) throw error;
    throw new JournalError(cannotReach(error), error);
  }
}
