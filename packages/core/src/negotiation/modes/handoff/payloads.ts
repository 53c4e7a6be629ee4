import { id, name } from '../../wire/identifiers.js';
import type { PayloadReaders } from '../../wire/payloads.js';
import { bytes, flag, messageOf, text } from '../../wire/readers.js';

/** The owner offers the responsibility to one participant. */
export type HandoffOfferPayload = {
  readonly handoff_id: string;
  readonly target_participant: string;
  readonly scope: string;
  readonly reason: string;
};

/** What the target should know about an offer. */
export type HandoffContextPayload = {
  readonly handoff_id: string;
  readonly content_type: string;
  /** Base64. */
  readonly context: string;
};

/** The target takes the responsibility. */
export type HandoffAcceptPayload = {
  readonly handoff_id: string;
  /** The sender, or empty. */
  readonly accepted_by: string;
  readonly reason: string;
  /** True only for what a runtime writes when an offer was not answered in time. */
  readonly implicit: boolean;
};

/** The target does not take the responsibility. */
export type HandoffDeclinePayload = {
  readonly handoff_id: string;
  /** The sender, or empty. */
  readonly declined_by: string;
  readonly reason: string;
};

/** The payload of each message that only Handoff Mode has. */
export type HandoffModePayloads = {
  readonly HandoffOffer: HandoffOfferPayload;
  readonly HandoffContext: HandoffContextPayload;
  readonly HandoffAccept: HandoffAcceptPayload;
  readonly HandoffDecline: HandoffDeclinePayload;
};

/** Their readers. */
export const HANDOFF_READERS: PayloadReaders<HandoffModePayloads> = {
  HandoffOffer: messageOf<HandoffOfferPayload>({
    handoff_id: id,
    target_participant: name,
    scope: text,
    reason: text,
  }),
  HandoffContext: messageOf<HandoffContextPayload>({ handoff_id: id, content_type: text, context: bytes }),
  HandoffAccept: messageOf<HandoffAcceptPayload>({
    handoff_id: id,
    accepted_by: text,
    reason: text,
    implicit: flag,
  }),
  HandoffDecline: messageOf<HandoffDeclinePayload>({ handoff_id: id, declined_by: text, reason: text }),
};
