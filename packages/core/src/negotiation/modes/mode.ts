import type { JsonObject } from '../../json/json.js';
import type { Refusal } from '../../refusal/refusal.js';
import type { ModeDescriptor } from '../mode-descriptors/descriptor.js';
import type { ModePolicies, PolicyRules } from '../policy/policy-rules.js';
import type { EnvelopeOf, MacpEnvelope } from '../wire/macp-envelope.js';
import type { CommonPayloads, PayloadReaders } from '../wire/payloads.js';
import type { Eligibility } from './eligibility.js';
import type { MessageWords } from './message-words.js';
import type { ModeOffers } from './offers.js';
import type { Terms } from './terms.js';

/** The payload of each message that only one mode has, by type. */
export type ModePayloads = { readonly [Type: string]: JsonObject };

/** A message of a mode with its payload parsed; one member for each of its types, and the Commitment. */
export type ModeMessage<Payloads> = EnvelopeOf<Payloads & Pick<CommonPayloads, 'Commitment'>>;

/**
 * The rules of one way to negotiate: its messages, who may send them and when, what policies may
 * contain, and the resulting state. Pure. The session handles everything else: authentication,
 * duplicates, time, suspension and cancellation. A `Commitment` ends a session in every mode.
 *
 * No one outside its folder looks into its state or its rules: a session passes each mode only what
 * it created itself.
 */
export interface Mode<
  State = unknown,
  Payloads extends ModePayloads = ModePayloads,
  Rules extends PolicyRules = PolicyRules,
> {
  /** The name of the mode, its one supported version, and its message types. */
  readonly descriptor: ModeDescriptor;
  /**
   * The readers of the payloads that only this mode has. Another mode may have others under the same
   * types.
   */
  readonly readers: PayloadReaders<Payloads>;
  readonly policies: ModePolicies<Rules>;
  /** The state of a session without messages. */
  readonly initial: State;
  /** Whether a session may have no participants at all; nothing can be agreed in it. Default false. */
  readonly mayBeEmpty?: boolean;
  /** Why no session may be started on these terms, or `undefined`. */
  checkTerms(terms: Terms<Rules>): Refusal | undefined;
  /** Everyone who may send anything in a session, each once. */
  namesTakingPart(terms: Terms<Rules>): ReadonlySet<string>;
  /** Whether a name is one of {@link namesTakingPart}, without listing them. */
  takesPart(terms: Terms<Rules>, name: string): boolean;
  /** Why a participant may not send a message of this type, or `undefined`. */
  checkSender(terms: Terms<Rules>, envelope: MacpEnvelope): Refusal | undefined;
  /** Why a message that its sender may send is not accepted now, or `undefined`. */
  check(state: State, terms: Terms<Rules>, message: ModeMessage<Payloads>): Refusal | undefined;
  /** The state after an accepted message. Costs the same however long the session is (I-8). */
  apply(state: State, terms: Terms<Rules>, message: ModeMessage<Payloads>): State;
  /** Why the session can only be ended, or nothing; if it can only be ended, it cannot be suspended. */
  checkOpen(state: State, terms: Terms<Rules>): Refusal | undefined;
  /** Whether this committer could commit an open session now, and why or why not. */
  explain(state: State, terms: Terms<Rules>, committer: string): Eligibility;
  /**
   * Describes a message of this mode; the Commitment is described the same way in all. Default: its
   * type and its fields.
   */
  describe?(message: EnvelopeOf<Payloads>): MessageWords;
  /** How a Commitment can be about one offer of the mode. Default: it cannot. */
  readonly offers?: ModeOffers<State, ModeMessage<Payloads>, Rules>;
  /** The state as JSON, the same for the same messages on every machine (I-3). */
  encode(state: State): JsonObject;
  /** The inverse of {@link encode}. */
  decode(json: JsonObject): State;
}
