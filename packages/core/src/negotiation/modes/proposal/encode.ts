import type { JsonObject } from '../../../json/json.js';
import { encodeMap } from '../encode-map.js';
import { acceptedBy, type Negotiation } from './negotiation.js';

/** The state of the negotiation as JSON; equal for a session and a projection of its messages (N-12). */
export function encodeNegotiation(negotiation: Negotiation): JsonObject {
  const { proposers, live, latestAccepts, rejections, acceptances, terminalRejections, ...plain } =
    negotiation;
  return {
    ...plain,
    proposers: encodeMap(proposers),
    live: encodeMap(live),
    accepts: encodeMap(latestAccepts).filter(([sender]) => acceptedBy(negotiation, sender) !== undefined),
    acceptances: encodeMap(acceptances),
    rejections: encodeMap(rejections),
    terminalRejections: encodeMap(terminalRejections),
  };
}
