import {
  deliveredEnvelope,
  encodeEnvelope,
  type JsonObject,
  type ProposalPhase,
  proposalStream,
  reaches,
  refuse,
  seesProposal,
  viewProposal,
} from '@proffer/core';
import type { Journal } from '@proffer/journal';
import type { StoredOperation } from '../delivery/batch.js';
import type { Guest } from '../intake/door.js';
import { replyJson, replyRefusal, replyText } from './reply.js';
import type { Call } from './router.js';

const PHASES: readonly ProposalPhase[] = [
  'pending',
  'fulfilled',
  'settled',
  'withdrawn',
  'expired',
  'declined',
];

/** Proposals listed in one answer, at most. */
const PAGE = 500;

/** An answer ends with the proposal that brings it to this many characters (I-7). */
const PAGE_SIZE = 1_048_576;

/**
 * `GET /spaces/{space}/proposals[?state=…]`: what is pending, what is running, and what ended within the
 * last minutes, the oldest first. What ended longer ago is in the feed, and under its id.
 */
export function listProposals({ response, query }: Call, guest: Guest): void {
  const state = query.get('state');
  if (state !== null && !PHASES.some((phase) => phase === state)) {
    const details = { field: 'state', found: state, expected: PHASES.join(', ') };
    return replyRefusal(
      response,
      refuse('invalid_field', `There is no state ${JSON.stringify(state)}.`, details),
    );
  }
  const { host } = guest.room;
  const proposals: string[] = [];
  let size = 0;
  let more = 0;
  for (const proposal of host.state.proposals.values()) {
    if (state !== null && proposal.phase !== state) continue;
    if (!seesProposal(proposal, guest, host.settings)) continue;
    if (proposals.length === PAGE || size >= PAGE_SIZE) {
      more++;
      continue;
    }
    const text = JSON.stringify(viewProposal(proposal));
    size += text.length;
    proposals.push(text);
  }
  replyText(response, 200, 'application/json', `{"proposals":[${proposals.join()}],"more":${more}}\n`);
}

/** `GET /spaces/{space}/proposals/{id}`: its state, and every message about it that the guest may see. */
export async function showProposal(
  { response, values }: Call,
  guest: Guest,
  journal: Journal,
): Promise<void> {
  const [, id = ''] = values;
  const { settings } = guest.room.host;
  const proposal = await guest.room.host.proposal(id);
  if (proposal === undefined || !seesProposal(proposal, guest, settings)) {
    const details = { proposals: [id] };
    return replyRefusal(
      response,
      refuse('unknown_proposal', `There is no proposal ${JSON.stringify(id)}.`, details),
    );
  }
  const messages: JsonObject[] = [];
  const subscriber = { name: guest.name, routing: 'all', observer: guest.observer } as const;
  for await (const stored of journal.read(proposalStream(settings.name, id))) {
    const record = stored as StoredOperation;
    if (!reaches(record, subscriber, settings)) continue;
    const message = encodeEnvelope(deliveredEnvelope(record), 'mcpx', { seq: record.seq });
    messages.push({ type: record.type, time: record.time, facts: record.facts, message });
  }
  replyJson(response, 200, { proposal: viewProposal(proposal), history: messages });
}
