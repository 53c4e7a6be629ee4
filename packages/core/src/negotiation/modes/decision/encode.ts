import type { JsonObject } from '../../../json/json.js';
import { decodeMap, encodeMap } from '../encode-map.js';
import type { Ballots, Deliberation } from './deliberation.js';
import type { Vote } from './payloads.js';

/** The state of a decision as JSON; equal for a session and a projection of its messages (N-12). */
export function encodeDeliberation(deliberation: Deliberation): JsonObject {
  const { proposers, votes, voters, criticalObjections, ...plain } = deliberation;
  return {
    ...plain,
    proposers: encodeMap(proposers),
    votes: encodeMap(votes),
    voters: encodeMap(voters),
    criticalObjections: encodeMap(criticalObjections),
  };
}

type Pairs<Value> = readonly (readonly [string, Value])[];

/** The result of {@link encodeDeliberation}. */
type Encoded = Omit<Deliberation, 'proposers' | 'votes' | 'voters' | 'criticalObjections'> & {
  readonly proposers: Pairs<string>;
  readonly votes: Pairs<Vote>;
  readonly voters: Pairs<Ballots>;
  readonly criticalObjections: Pairs<number>;
};

/** The inverse of {@link encodeDeliberation}. */
export function decodeDeliberation(json: JsonObject): Deliberation {
  const from = json as unknown as Encoded;
  const decoded: { readonly [Field in keyof Required<Deliberation>]: Deliberation[Field] } = {
    proposers: decodeMap(from.proposers),
    votes: decodeMap(from.votes),
    voters: decodeMap(from.voters),
    approvals: from.approvals,
    rejections: from.rejections,
    approvers: from.approvers,
    criticalObjections: decodeMap(from.criticalObjections),
    confidence: from.confidence,
    commitment: from.commitment,
  };
  return decoded;
}
