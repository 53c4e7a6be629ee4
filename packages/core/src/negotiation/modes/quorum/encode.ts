import type { JsonObject } from '../../../json/json.js';
import { decodeMap, encodeMap } from '../encode-map.js';
import type { ApprovalState, Ballot } from './approval.js';

/** The state of an approval as JSON; equal for a session and a projection of its messages (N-12). */
export function encodeApproval({ ballots, ...plain }: ApprovalState): JsonObject {
  return { ...plain, ballots: encodeMap(ballots) };
}

/** The result of {@link encodeApproval}. */
type Encoded = Omit<ApprovalState, 'ballots'> & { readonly ballots: readonly (readonly [string, Ballot])[] };

/** The inverse of {@link encodeApproval}. */
export function decodeApproval(json: JsonObject): ApprovalState {
  const from = json as unknown as Encoded;
  const decoded: { readonly [Field in keyof Required<ApprovalState>]: ApprovalState[Field] } = {
    request: from.request,
    ballots: decodeMap(from.ballots),
    approvals: from.approvals,
    commitment: from.commitment,
  };
  return decoded;
}
