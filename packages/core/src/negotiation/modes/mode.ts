import type { JsonObject } from '../../json/json.js';
import type { Refusal, Result } from '../../refusal/refusal.js';
import type { ModeDescriptor } from '../extension-modes/descriptor.js';
import type { MacpEnvelope } from '../wire/macp-envelope.js';
import type { PayloadReaders } from '../wire/payloads.js';
import type { Terms } from './terms.js';

/**
 * The rules of one way to negotiate: what its messages are, who may send them and when, and what they add up to. Pure.
 * The session takes care of everything else: who is authenticated, what is a duplicate, time, suspension and
 * cancellation. A `Commitment` ends a session in every mode.
 */
export interface Mode<State, Message extends MacpEnvelope, Payloads> {
  /** Its name, the one version that is served, and its message types. */
  readonly descriptor: ModeDescriptor;
  /** How the messages are read that only this mode has, by type. */
  readonly readers: PayloadReaders<Payloads>;
  /** The state of a session without messages. */
  readonly initial: State;
  /** Reads the payload of a message of this mode. Refuses with `INVALID_ENVELOPE`. */
  read(envelope: MacpEnvelope): Result<Message>;
  /** Why no session may be started on these terms, or `undefined`. */
  checkTerms(terms: Terms): Refusal | undefined;
  /** Everyone who may send anything in a session, each once. */
  namesTakingPart(terms: Terms): ReadonlySet<string>;
  /** Whether a name is one of {@link namesTakingPart}, without listing them. */
  takesPart(terms: Terms, name: string): boolean;
  /** Why someone who takes part may not send a message of this type, or `undefined`. */
  checkSender(terms: Terms, envelope: MacpEnvelope): Refusal | undefined;
  /** Why a message that its sender may send is not accepted now, or `undefined`. */
  check(state: State, terms: Terms, message: Message): Refusal | undefined;
  /** The state after an accepted message. Costs the same however long the session is (I-8). */
  apply(state: State, terms: Terms, message: Message): State;
  /** Why nothing is left but to end the session, or nothing: then it cannot be suspended any more. */
  checkOpen(state: State, terms: Terms): Refusal | undefined;
  /** The state as JSON, the same for the same messages on every machine (I-3). */
  encode(state: State): JsonObject;
  /** The state that {@link encode} gave this JSON for. */
  decode(json: JsonObject): State;
}
