import type { EnvelopeOf, MacpEnvelope } from './macp-envelope.js';
import { COMMON_READERS, type CommonPayloads, type RuntimePayloads } from './payloads.js';

/** The payload of each message that is the same in every mode. */
export type SessionPayloads = CommonPayloads & RuntimePayloads;

/** A message that is the same in every mode, with its payload parsed. */
export type SessionMessage<Types extends keyof SessionPayloads = keyof SessionPayloads> = EnvelopeOf<
  Pick<SessionPayloads, Types>
>;

/**
 * True for a message that is the same in every mode, as opposed to one of its mode. Its payload has
 * been parsed.
 */
export function isSessionMessage(envelope: MacpEnvelope): envelope is SessionMessage {
  return Object.hasOwn(COMMON_READERS, envelope.message_type);
}

/** True for the message that ends a session with an outcome. Its payload has been parsed. */
export function isCommitment(envelope: MacpEnvelope): envelope is SessionMessage<'Commitment'> {
  return envelope.message_type === 'Commitment';
}
