import { VersionedMap } from '../../../collections/versioned-map.js';
import type { JsonObject } from '../../../json/json.js';
import { throwUnsupported } from '../../../record/record.js';
import type { MacpEnvelope } from '../../wire/macp-envelope.js';
import type { CommitmentPayload } from '../../wire/payloads.js';
import { decodeMap, encodeMap } from '../encode-map.js';
import type { ModeMessage } from '../mode.js';
import type { HandoffModePayloads } from './payloads.js';

/** The messages of the mode, as opposed to those of the session. */
export type HandoffEnvelope = ModeMessage<HandoffModePayloads>;

/** How far a handoff has got. */
export type HandoffPhase = 'Waiting' | 'Offered' | 'Accepted' | 'Declined' | 'Committed';

/** An offer that was made: to whom, and what became of it. */
export type Offered = { readonly target: string; readonly disposition: 'offered' | 'accepted' | 'declined' };

/**
 * The state of a handoff: the result of the accepted messages, and no more than the rules need. The session's
 * decider and the projection fold the same function over the same messages (N-12).
 */
export interface Transfer {
  /** Every offer ever made, by its id. */
  readonly offers: VersionedMap<Offered>;
  /** Everybody who has declined an offer. */
  readonly declined: VersionedMap<true>;
  /** The id of the last offer; no earlier one is open. */
  readonly latest?: string | undefined;
  /** The outcome; there is never a second one (I-2). */
  readonly commitment?: { readonly by: string; readonly payload: CommitmentPayload } | undefined;
}

/** A session without an offer. */
export const NO_OFFER: Transfer = { offers: VersionedMap.empty(), declined: VersionedMap.empty() };

/**
 * The handoff after one more accepted message. Whether it may be accepted is decided before.
 *
 * @throws Error for an unknown message type
 */
export function applyHandoffMessage(before: Transfer, envelope: HandoffEnvelope): Transfer {
  const { sender } = envelope;
  switch (envelope.message_type) {
    case 'HandoffOffer': {
      const { handoff_id: latest, target_participant: target } = envelope.payload;
      const offers = before.offers.set(latest, { target, disposition: 'offered' });
      return { ...before, offers, latest };
    }
    case 'HandoffContext':
      return before;
    case 'HandoffAccept':
      return { ...before, offers: answered(before, envelope.payload.handoff_id, 'accepted') };
    case 'HandoffDecline':
      return {
        ...before,
        offers: answered(before, envelope.payload.handoff_id, 'declined'),
        declined: before.declined.set(sender, true),
      };
    case 'Commitment':
      return { ...before, commitment: { by: sender, payload: envelope.payload } };
    default:
      return throwUnsupported('message', (envelope satisfies never as MacpEnvelope).message_type);
  }
}

function answered(
  { offers }: Transfer,
  id: string,
  disposition: Offered['disposition'],
): VersionedMap<Offered> {
  const offer = offers.get(id);
  return offer === undefined ? offers : offers.set(id, { ...offer, disposition });
}

/** The last offer, if there is one. */
export function latestOffer({ offers, latest }: Transfer): Offered | undefined {
  return latest === undefined ? undefined : offers.get(latest);
}

const PHASES = { offered: 'Offered', accepted: 'Accepted', declined: 'Declined' } as const;

/** How far the handoff has got. */
export function handoffPhaseOf(transfer: Transfer): HandoffPhase {
  if (transfer.commitment !== undefined) return 'Committed';
  const offer = latestOffer(transfer);
  return offer === undefined ? 'Waiting' : PHASES[offer.disposition];
}

/** The state as JSON; equal for a session and a projection of its messages (N-12). */
export function encodeTransfer({ offers, declined, ...plain }: Transfer): JsonObject {
  return { ...plain, offers: encodeMap(offers), declined: encodeMap(declined) };
}

/** The inverse of {@link encodeTransfer}. */
export function decodeTransfer(json: JsonObject): Transfer {
  const { offers, declined, ...plain } = json as unknown as Omit<Transfer, 'offers' | 'declined'> & {
    readonly offers: readonly (readonly [string, Offered])[];
    readonly declined: readonly (readonly [string, true])[];
  };
  return { ...plain, offers: decodeMap(offers), declined: decodeMap(declined) };
}
