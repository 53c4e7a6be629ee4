import { type Envelope } from '@proffer/core';
import { isJsonObject, type JsonObject } from '@proffer/core/json';

/**
 * A message as the gateway delivers it: with its `seq` in the space, if it is in the journal (O-4),
 * and with its record, if the connection asked for records; core's `recordInMessage` reads that.
 */
export type Message = Envelope & { readonly seq?: number; readonly record?: JsonObject };

/** A message that is in the journal. */
export type JournalledMessage = Envelope & { readonly seq: number };

/** Parses what the gateway sent; `undefined` if it is not an envelope, which a gateway does not send. */
export function readDelivered(text: string): Message | undefined {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return undefined;
  }
  if (!isJsonObject(value)) return undefined;
  const { id, kind, from, payload, seq } = value;
  const isEnvelope =
    typeof id === 'string' && typeof kind === 'string' && typeof from === 'string' && isJsonObject(payload);
  return isEnvelope && (seq === undefined || typeof seq === 'number') ? (value as Message) : undefined;
}

/** A message to send: the client fills in the rest. */
export type OutgoingMessage = {
  readonly kind: string;
  readonly payload: JsonObject;
  readonly to?: readonly string[];
  readonly correlationId?: string | readonly string[];
  /** Default: a new one. Set it to make resending harmless across restarts (O-3). */
  readonly id?: string;
  readonly context?: string;
};

/** The outcome of a message about several proposals, for one of them (O-35). */
export type BatchOutcome = {
  /** Of the message about this proposal. */
  readonly id: string;
  readonly proposal: string;
} & (
  | { readonly status: 'accepted' | 'duplicate'; readonly seq?: number }
  | { readonly status: 'late' }
  | {
      readonly status: 'refused';
      readonly error: { readonly code: string; readonly message: string; readonly details: JsonObject };
    }
);

/**
 * The outcome of a message: it has a `seq` in the space, or it came too late to matter (O-16). If it was about several
 * proposals, each has its own outcome, and it was accepted if it was for at least one of them (O-35).
 */
export type Receipt =
  | {
      readonly status: 'accepted';
      readonly id: string;
      readonly seq: number;
      readonly outcomes?: readonly BatchOutcome[];
    }
  | { readonly status: 'late'; readonly id: string; readonly outcomes?: readonly BatchOutcome[] };

/** The receipt for a message about several proposals. */
export function batchReceipt(id: string, outcomes: readonly BatchOutcome[]): Receipt {
  const seqs = outcomes.flatMap((one) => ('seq' in one && one.seq !== undefined ? [one.seq] : []));
  const isAccepted = outcomes.some(({ status }) => status === 'accepted' || status === 'duplicate');
  return isAccepted
    ? { status: 'accepted', id, seq: Math.max(0, ...seqs), outcomes }
    : { status: 'late', id, outcomes };
}
