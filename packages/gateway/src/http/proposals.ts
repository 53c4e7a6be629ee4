import {
  deliveredEnvelope,
  encodeEnvelope,
  type JsonObject,
  proposalStream,
  reaches,
  refuse,
  seesProposal,
} from '@proffer/core';
import type { Journal } from '@proffer/journal';
import type { StoredOperation } from '../delivery/batch.js';
import type { Guest } from '../intake/door.js';
import { replyJson, replyRefusal } from './reply.js';
import type { Call } from './router.js';

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
  replyJson(response, 200, { proposal: guest.room.host.view(proposal), history: messages });
}
