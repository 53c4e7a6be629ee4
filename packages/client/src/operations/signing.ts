import {
  ASKED_OTHER,
  type Assertion,
  decisionAsked,
  requestToSign,
  type ShownDecision,
  type SignedDecision,
  type SigningRequest,
} from '@proffer/core/operations';
import { RefusedError } from '../errors.js';

/** Signs decisions with a key of ours (O-49); rejects if nobody wants to. */
export type DecisionSigner = (asked: SigningRequest) => Promise<Assertion>;

/** Approves something; if that has to be signed, has it signed and approves it again. */
export async function signIfAsked<Result>(
  signer: DecisionSigner | undefined,
  shown: ShownDecision,
  attempt: (signature?: Assertion) => Promise<Result>,
): Promise<Result> {
  try {
    return await attempt();
  } catch (error) {
    if (signer === undefined || !(error instanceof RefusedError)) throw error;
    const decision = decisionIn(error, shown);
    if (decision === undefined) throw error;
    return await attempt(await signer(requestToSign([decision], Date.now())));
  }
}

/**
 * What a refusal asks to be signed; `undefined` for any other.
 *
 * @throws RefusedError `changed_since_shown` if it is something else than what was shown
 */
export function decisionIn(error: RefusedError, shown: ShownDecision): SignedDecision | undefined {
  const asked = decisionAsked(error, shown);
  if (asked !== 'changed') return asked;
  const { proposal } = shown;
  throw new RefusedError('changed_since_shown', ASKED_OTHER, { proposal });
}
