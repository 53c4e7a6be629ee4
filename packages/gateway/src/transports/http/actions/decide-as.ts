import { failure, type Result, readObject, success } from '@proffer/core';
import { type JsonLimits, type JsonObject } from '@proffer/core/json';
import { checkBearer, checkSaysShown } from '@proffer/core/operations';
import type { Metrics } from '../../../metrics/index.js';
import { type Guests, submitReading } from '../../../operations/index.js';
import { findProposal } from '../spaces/seen-proposal.js';
import { ACTIONS } from './table.js';

/** A decision by someone that another service vouches for. */
export interface VouchedDecision {
  /** The message id: a repeat is a duplicate. */
  readonly id: string;
  readonly participant: string;
  /** Names who vouches, such as `slack:T1/U1`. */
  readonly credential: string;
  readonly space: string;
  readonly proposal: string;
  readonly decision: 'approve' | 'reject';
  /**
   * Like the body of the equivalent HTTP request: `digest` and what was `seen` to approve, `reason` to reject.
   */
  readonly body: JsonObject;
  /** Whether the only credential is the link. That never counts where several must approve. */
  readonly isBearer?: boolean;
}

/** Decides in someone's name. The message takes the same path as every other, with their rights. */
export type DecideAs = (decision: VouchedDecision) => Promise<Result<{ readonly status: string }>>;

export interface DecideAsOptions {
  readonly guests: Guests;
  readonly clock: () => number;
  readonly limits: JsonLimits;
  readonly metrics: Metrics;
}

export function createDecideAs({ guests, clock, limits, metrics }: DecideAsOptions): DecideAs {
  return async ({ id: message, participant, credential, space, proposal: id, decision, body, isBearer }) => {
    const admitted = guests.admitVouched(participant, credential, space);
    if (!admitted.ok) return admitted;
    const guest = admitted.value;
    const allowed = guest.attempt();
    if (!allowed.ok) return allowed;
    const unsaid = decision === 'approve' ? checkSaysShown(id, body['seen']) : undefined;
    if (unsaid !== undefined) return failure(unsaid);
    const proposal = isBearer === true ? await findProposal(guest, id) : undefined;
    const unsigned = proposal && checkBearer(proposal, guest.room.host.settings);
    if (unsigned !== undefined) return failure(unsigned);
    const action = ACTIONS.find(({ path }) => path === `/proposals/*/${decision}`);
    const draft = await action?.compose(body, {
      id,
      proposal: () => findProposal(guest, id),
    });
    if (draft === undefined) throw new Error(`there is no action ${decision}`);
    if ('code' in draft) return failure(draft);
    // Looking up the proposal takes time, during which the right to decide may be lost (I-4).
    const rights = guest.rights();
    if (!rights.ok) return rights;
    const reading = readObject(
      { ...draft, id: message },
      { from: guest.name, now: clock(), limits, dialect: 'mcpx' },
    );
    const line = { server: { isOpen: false, instance: undefined } };
    return await new Promise((resolve) => {
      submitReading(guest, reading, { standing: rights.value, line }, (submission) => {
        metrics.messages.inc({ transport: 'http', outcome: submission.status });
        resolve(
          submission.status === 'refused'
            ? failure(submission.refusal)
            : success({ status: submission.status }),
        );
      });
    });
  };
}
