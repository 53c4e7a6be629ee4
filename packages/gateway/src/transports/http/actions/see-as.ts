import { failure, type Refusal, type Result, success } from '@proffer/core';
import { defined, isJsonObject, type JsonObject } from '@proffer/core/json';
import { checkBearer, definitionOf, type Proposal } from '@proffer/core/operations';
import type { Journal } from '@proffer/journal';
import type { SpaceAdmission, SpaceCaller } from '../../../operations/index.js';
import { describeWithHistory } from '../spaces/proposals.js';
import { findProposal, refuseUnseen } from '../spaces/seen-proposal.js';
import type { VouchedDecision } from './decide-as.js';

/** The viewer and the proposal. */
export interface Sight extends Pick<VouchedDecision, 'participant' | 'credential' | 'space' | 'proposal'> {
  /** Whether the viewer did not ask, so that it does not count as one of their messages. */
  readonly isUnasked?: boolean;
}

/** A proposal as a viewer may see it. */
export interface VisibleProposal {
  readonly proposal: Proposal;
  /** As `GET /spaces/{space}/proposals/{id}` shows it. */
  readonly shown: JsonObject;
  /** The executor's description of the tool; absent if there is no executor, or nothing was announced. */
  readonly served?: { readonly by: string; readonly definition: JsonObject };
  /** Why only a signed-in user can approve or reject it. */
  readonly unsigned: { readonly approve?: Refusal; readonly reject?: Refusal };
}

/** Reads a proposal with the rights of someone that another service vouches for. */
export type SeeAs = (sight: Sight) => Promise<Result<VisibleProposal>>;

export function createSeeAs({
  admission,
  journal,
}: {
  readonly admission: SpaceAdmission;
  readonly journal: Journal;
}): SeeAs {
  return async ({ participant, credential, space, proposal: id, isUnasked }) => {
    const admitted = admission.admitVouched(participant, credential, space);
    if (!admitted.ok) return admitted;
    const caller = admitted.value;
    const allowed = isUnasked === true ? caller.rights() : caller.checkRightsAndRate();
    if (!allowed.ok) return allowed;
    const proposal = await findProposal(caller, id);
    if (proposal === undefined) return failure(refuseUnseen(id));
    const shown = await describeWithHistory(caller, proposal, journal);
    const { settings } = caller.liveSpace.host;
    const unsigned = defined({
      approve: checkBearer(proposal, settings, 'approve'),
      reject: checkBearer(proposal, settings, 'reject'),
    });
    const served = servedIn(caller, proposal, shown);
    return success({ proposal, shown, ...served, unsigned });
  };
}

function servedIn(
  { liveSpace }: SpaceCaller,
  { subject }: Proposal,
  { proposal: view }: JsonObject,
): Pick<VisibleProposal, 'served'> {
  const runner = isJsonObject(view) && isJsonObject(view['wouldRun']) ? view['wouldRun']['name'] : undefined;
  if (subject === undefined || typeof runner !== 'string') return {};
  const definition = definitionOf(liveSpace.host.state.participants.get(runner), subject);
  return definition === undefined ? {} : { served: { by: runner, definition } };
}
