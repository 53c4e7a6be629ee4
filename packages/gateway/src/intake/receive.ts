import { authorize, type DialectName, type JsonLimits, type Refusal, readMessage } from '@proffer/core';
import type { Guest } from './door.js';
import type { Line } from './room.js';
import type { Submission } from './submission.js';

export interface ReceiveOptions {
  readonly now: number;
  readonly limits: JsonLimits;
  readonly dialect?: DialectName;
  /** The id for a message that has none, where a transport gives one. */
  readonly fallbackId?: string;
  readonly line: Line;
}

/** What could be made out of a message at once. */
export interface Received {
  /** The id of the message, if it could be read. */
  readonly id?: string;
  /** The dialect it was written in, if it could be read. */
  readonly dialect?: DialectName;
  /** False when the message could not even be understood. */
  readonly understood: boolean;
}

/**
 * The one path of every message, whichever transport it comes by: limit, decode, authorise, decide,
 * append. Authentication has happened, and what the sender may do is asked anew each time, so that a
 * revoked credential ends at once (I-4); delivery follows from the journal.
 *
 * @param settle - called once, when it is certain what became of it; perhaps before this returns
 */
export function receive(
  guest: Guest,
  text: string,
  options: ReceiveOptions,
  settle: (submission: Submission, received: Received) => void,
): Received {
  const refused = (refusal: Refusal, received: Received): Received => {
    settle({ status: 'refused', refusal }, received);
    return received;
  };
  const allowed = guest.mayTry();
  if ('refused' in allowed) return refused(allowed.refused, { understood: true });
  const { now, limits, dialect: expected, fallbackId } = options;
  const reading = readMessage(
    text,
    expected === undefined && fallbackId === undefined
      ? { from: guest.name, now, limits }
      : // What is spread stands last: engines are slow to add anything to a copy.
        { from: guest.name, ...options },
  );
  if (!reading.ok) {
    const { refusal, id, dialect } = reading;
    return refused(refusal, {
      understood: false,
      ...(id === undefined ? {} : { id }),
      ...(dialect === undefined ? {} : { dialect }),
    });
  }
  const { envelope, dialect } = reading.value;
  const received = { id: envelope.id, dialect, understood: true };
  const violation = authorize(allowed.standing.capabilities, envelope);
  if (violation !== undefined) return refused(violation, received);
  const incoming = { envelope, sender: allowed.standing };
  guest.room.take(incoming, options.line, (submission) => settle(submission, received));
  return received;
}
