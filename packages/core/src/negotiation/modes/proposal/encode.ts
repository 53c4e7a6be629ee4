import type { JsonObject } from '../../../json/json.js';
import { decodeMap, encodeMap } from '../encode-map.js';
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

type Pairs<Value> = readonly (readonly [string, Value])[];

/** The result of {@link encodeNegotiation}. */
interface Encoded extends Pick<Negotiation, 'counterProposals' | 'commitment'> {
  readonly proposers: Pairs<string>;
  readonly live: Pairs<true>;
  readonly accepts: Pairs<string>;
  readonly acceptances: Pairs<number>;
  readonly rejections: Pairs<true>;
  readonly terminalRejections: Pairs<string>;
}

/** The inverse of {@link encodeNegotiation}, without acceptances that no longer count. */
export function decodeNegotiation(json: JsonObject): Negotiation {
  const from = json as unknown as Encoded;
  const decoded: { readonly [Field in keyof Required<Negotiation>]: Negotiation[Field] } = {
    proposers: decodeMap(from.proposers),
    live: decodeMap(from.live),
    latestAccepts: decodeMap(from.accepts),
    acceptances: decodeMap(from.acceptances),
    rejections: decodeMap(from.rejections),
    terminalRejections: decodeMap(from.terminalRejections),
    counterProposals: from.counterProposals,
    commitment: from.commitment,
  };
  return decoded;
}
