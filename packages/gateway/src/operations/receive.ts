import { type DialectName, type EnvelopeReading, type Refusal, readMessage } from '@proffer/core';
import { authorize } from '@proffer/core/capability';
import { type JsonLimits } from '@proffer/core/json';
import { type ParticipantRights } from '@proffer/core/operations';
import type { SenderQueue } from './live-space.js';
import type { SpaceCaller } from './space-admission.js';
import type { SpaceMessageOutcome } from './space-message-outcome.js';

export interface ReceiveOptions {
  readonly now: number;
  readonly limits: JsonLimits;
  readonly dialect?: DialectName;
  /** Makes the id for a message without one. */
  readonly newId: () => string;
  /** The dialect of the connection, for messages that do not show theirs. */
  readonly spoken?: DialectName | undefined;
  readonly queue: SenderQueue;
  /** Rewrites a client's message for this gateway. Default: none. */
  readonly translate?: ((text: string) => string) | undefined;
}

/** What is known of a message at once. */
export interface Received {
  /** The id of the message, if it could be read. */
  readonly id?: string;
  /** The dialect it was written in, if it could be read. */
  readonly dialect?: DialectName;
  /** False if the message was malformed. */
  readonly understood: boolean;
}

/** Called once, when the outcome of a message is certain. */
export type SettleReceived = (outcome: SpaceMessageOutcome, received: Received) => void;

/**
 * The one path of every message, whatever its transport: limit, decode, authorise, decide, append. The sender
 * is authenticated, and its rights are checked each time, so that a revoked credential takes effect at once
 * (I-4); delivery follows from the journal.
 *
 * @param sent - the message, or why its transport could not decode its text
 * @param settle - perhaps called before this returns
 */
export function receive(
  caller: SpaceCaller,
  sent: string | Refusal,
  options: ReceiveOptions,
  settle: SettleReceived,
): Received {
  const allowed = caller.checkRightsAndRate();
  if (!allowed.ok) return refuseWith(allowed.refusal, { understood: true }, settle);
  if (typeof sent !== 'string') return refuseWith(sent, { understood: false }, settle);
  const reading = read(caller.name, sent, options);
  return submitReading(caller, reading, { rights: allowed.value, queue: options.queue }, settle);
}

function read(from: string, text: string, options: ReceiveOptions): EnvelopeReading {
  const { now, limits, dialect, newId, spoken, translate } = options;
  const known =
    dialect === undefined
      ? { from, now, limits, newId, spoken }
      : // The spread comes last: engines are slow to add fields to a copy.
        { from, ...options };
  return readMessage(translate === undefined ? text : translate(text), known);
}

/** The rest of that path, for a message that is not text: its transport checked the rate, and parsed it. */
export function submitReading(
  caller: SpaceCaller,
  reading: EnvelopeReading,
  { rights, queue }: { readonly rights: ParticipantRights; readonly queue: SenderQueue },
  settle: SettleReceived,
): Received {
  if (!reading.ok) {
    const { refusal, id, dialect } = reading;
    const received = {
      understood: false,
      ...(id === undefined ? {} : { id }),
      ...(dialect === undefined ? {} : { dialect }),
    };
    return refuseWith(refusal, received, settle);
  }
  const { envelope, dialect } = reading.value;
  const received = { id: envelope.id, dialect, understood: true };
  const violation = authorize(rights.capabilities, envelope);
  const incoming = { envelope, sender: rights };
  const conclude = (outcome: SpaceMessageOutcome): void => settle(outcome, received);
  if (violation === undefined) caller.liveSpace.take(incoming, queue, conclude);
  else caller.liveSpace.takeGranted(incoming, violation, queue, conclude);
  return received;
}

function refuseWith(refusal: Refusal, received: Received, settle: SettleReceived): Received {
  settle({ status: 'refused', refusal }, received);
  return received;
}
