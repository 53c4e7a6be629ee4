import { randomUUID } from 'node:crypto';
import type { JetStreamManager, StoredMsg } from '@nats-io/jetstream';
import { JetStreamApiError } from '@nats-io/jetstream';
import type { NatsConnection } from '@nats-io/transport-node';
import type { HeaderText, ReadMessage } from '../messages/message.js';

/** A message to write. */
export interface Outgoing {
  readonly subject: string;
  readonly data: string;
  readonly headers: HeaderText;
}

/** The outcome of messages written together. */
export type WriteOutcome =
  /** All are durable, in sequence; this is the sequence of the first. */
  | { readonly status: 'written'; readonly firstSeq: number }
  /** Some subject's last message is not the expected one, so nothing was written. */
  | { readonly status: 'unexpected' }
  /** The server refused, and wrote nothing. */
  | { readonly status: 'refused'; readonly error: Error }
  /** No answer: they may be written, or may still be. */
  | { readonly status: 'unknown'; readonly error: Error };

/** How many messages a server accepts as one batch. */
export const MAX_MESSAGES = 1_000;

const BATCH_ID = 'Nats-Batch-Id';
const BATCH_SEQUENCE = 'Nats-Batch-Sequence';
const BATCH_COMMIT = 'Nats-Batch-Commit';

/** The error codes for a wrong expectation. */
const UNEXPECTED: ReadonlySet<number> = new Set([10_071, 10_164]);

/**
 * Writes messages: all of them or none. Only the last one is answered, so a batch costs one round
 * trip however large it is.
 *
 * @param broken - rejects when no answer can arrive any more
 */
export async function writeBatch(
  connection: NatsConnection,
  messages: readonly Outgoing[],
  { timeout, broken }: { readonly timeout: number; readonly broken: Promise<never> },
): Promise<WriteOutcome> {
  const last = messages.at(-1);
  if (last === undefined) return { status: 'written', firstSeq: 0 };
  try {
    if (messages.length > 1) {
      const id = randomUUID();
      for (const [index, { headers }] of messages.entries()) {
        headers.append(BATCH_ID, id);
        headers.append(BATCH_SEQUENCE, index + 1);
      }
      last.headers.append(BATCH_COMMIT, '1');
      for (const { subject, data, headers } of messages.slice(0, -1))
        connection.publish(subject, data, { headers: headers.forClient() });
    }
    const { subject, data, headers } = last;
    const answer = await Promise.race([
      connection.request(subject, data, { headers: headers.forClient(), timeout }),
      broken,
    ]);
    return readAnswer(answer.string(), messages.length);
  } catch (error) {
    return { status: 'unknown', error: error instanceof Error ? error : new Error(String(error)) };
  }
}

interface Answer {
  readonly seq?: number;
  readonly error?: { readonly err_code: number; readonly description: string; readonly code: number };
}

function readAnswer(text: string, count: number): WriteOutcome {
  const { seq = 0, error } = JSON.parse(text) as Answer;
  if (error === undefined) return { status: 'written', firstSeq: seq - count + 1 };
  if (UNEXPECTED.has(error.err_code)) return { status: 'unexpected' };
  return { status: 'refused', error: new JetStreamApiError(error) };
}

/** The last message of a subject, or of all that match a wildcard, according to the stream's leader. */
export async function lastMessage(
  manager: JetStreamManager,
  stream: string,
  subject: string,
): Promise<ReadMessage | undefined> {
  const found = await manager.streams.getMessage(stream, { last_by_subj: subject });
  return found === null ? undefined : readStored(found);
}

/** The first message of a subject after a sequence, according to the stream's leader. */
export async function nextMessage(
  manager: JetStreamManager,
  stream: string,
  { subject, after }: { readonly subject: string; readonly after: number },
): Promise<ReadMessage | undefined> {
  const query = { seq: after + 1, next_by_subj: subject };
  const found = await manager.streams.getMessage(stream, query);
  return found === null ? undefined : readStored(found);
}

/** A requested message, in the form that records are read from. */
export function readStored({ subject, seq, data, header }: StoredMsg): ReadMessage {
  return { subject, seq, data, headers: header };
}
