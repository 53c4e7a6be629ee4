import { encodeEnvelope, type Refusal, refuse } from '@proffer/core';
import { type JsonObject, quote } from '@proffer/core/json';
import {
  deliveredEnvelope,
  type Proposal,
  proposalStream,
  reaches,
  seesProposal,
} from '@proffer/core/operations';
import type { Journal } from '@proffer/journal';
import type { StoredOperation } from '../../../delivery/index.js';
import type { SpaceCaller } from '../../../operations/index.js';

/** The durable state of a proposal that the caller may see. */
export async function findProposal(
  { liveSpace, ...caller }: SpaceCaller,
  id: string,
): Promise<Proposal | undefined> {
  const proposal = await liveSpace.host.proposal(id);
  return proposal !== undefined && seesProposal(proposal, caller, liveSpace.host.settings)
    ? proposal
    : undefined;
}

/** In the same words whether it does not exist or the caller may not see it. */
export function refuseUnseen(id: string): Refusal {
  return refuse('unknown_proposal', `Proposal ${quote(id)} not found.`, { proposals: [id] });
}

/** The records of a proposal from a version on, as far as the caller may see them. */
export async function* recordsFor(
  caller: SpaceCaller,
  id: string,
  { journal, from = 1 }: { readonly journal: Journal; readonly from?: number },
): AsyncGenerator<StoredOperation> {
  const { settings } = caller.liveSpace.host;
  const { name, observer, roles } = caller;
  const subscriber = { name, routing: 'all', observer, roles } as const;
  for await (const stored of journal.read(proposalStream(settings.name, id), from)) {
    const record = stored as StoredOperation;
    if (reaches(record, subscriber, settings)) yield record;
  }
}

/** The message of a record, as delivered. */
export function messageOf(record: StoredOperation): JsonObject {
  return encodeEnvelope(deliveredEnvelope(record), 'mcpx', { seq: record.seq });
}
