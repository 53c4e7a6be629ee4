import type { PolicyRules } from '../policy/policy-rules.js';
import type { Terms } from './terms.js';

/** Something that can be agreed: an offer, an option or a request, with what is attached to it. */
export type AttachedOffer = {
  readonly id: string;
  /** Base64. */
  readonly attachment: string;
};

/** What a participant has said about an offer. */
export type OfferPosition = 'accepts' | 'rejects' | 'abstains';

/** How a mode lets a Commitment be about one offer (N-32). */
export interface ModeOffers<State, Message, Rules extends PolicyRules> {
  /** The offer that a message makes; `undefined` for other messages. */
  read(message: Message): AttachedOffer | undefined;
  /** A participant's position on an offer; `undefined` if it has none, or said both. */
  positionOf(state: State, offer: string, participant: string): OfferPosition | undefined;
  /** Whether a positive Commitment by this committer would be of exactly this offer. */
  isAgreed(state: State, terms: Terms<Rules>, offer: string, committer: string): boolean;
}
