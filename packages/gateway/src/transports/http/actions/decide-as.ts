import { failure, type Result, readObject, success } from '@proffer/core';
import { type JsonLimits, type JsonObject } from '@proffer/core/json';
import { checkBearer, checkSaysShown } from '@proffer/core/operations';
import type { Metrics } from '../../../metrics/index.js';
import { type SpaceAdmission, submitReading } from '../../../operations/index.js';
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
  readonly admission: SpaceAdmission;
  readonly clock: () => number;
  readonly limits: JsonLimits;
  readonly metrics: Metrics;
}

export function createDecideAs({ admission, clock, limits, metrics }: DecideAsOptions): DecideAs {
  return async ({ id: message, participant, credential, space, proposal: id, decision, body, isBearer }) => {
    const admitted = admission.admitVouched(participant, credential, space);
    if (!admitted.ok) return admitted;
    const caller = admitted.value;
    const allowed = caller.checkRightsAndRate();
    if (!allowed.ok) return allowed;
    const unsaid = decision === 'approve' ? checkSaysShown(id, body['seen']) : undefined;
    if (unsaid !== undefined) return failure(unsaid);
    const proposal = isBearer === true ? await findProposal(caller, id) : undefined;
    const unsigned = proposal && checkBearer(proposal, caller.liveSpace.host.settings, decision);
    if (unsigned !== undefined) return failure(unsigned);
    const action = ACTIONS.find(({ path }) => path === `/proposals/{id}/${decision}`);
    const draft = await action?.compose(body, {
      id,
      proposal: () => findProposal(caller, id),
    });
    if (draft === undefined) throw new Error(`there is no action ${decision}`);
    if ('code' in draft) return failure(draft);
    // Looking up the proposal takes time, during which the right to decide may be lost (I-4).
    const rights = caller.rights();
    if (!rights.ok) return rights;
    const reading = readObject(
      { ...draft, id: message },
      { from: caller.name, now: clock(), limits, dialect: 'mcpx' },
    );
    const queue = { server: { isOpen: false, instance: undefined } };
    return await new Promise((resolve) => {
      submitReading(caller, reading, { rights: rights.value, queue }, (outcome) => {
        metrics.messages.inc({ transport: 'http', outcome: outcome.status });
        resolve(
          outcome.status === 'refused' ? failure(outcome.refusal) : success({ status: outcome.status }),
        );
      });
    });
  };
}
