import type { JsonObject } from '@proffer/core/json';
import type { Proposal } from '@proffer/core/operations';
import type { Journal } from '@proffer/journal';
import type { SpaceCaller } from '../../../operations/index.js';
import { replyJson } from '../reply.js';
import type { HttpCall } from '../router.js';
import { awaitAnswer, describeAnswer } from './answer.js';
import { askedAfter, wantsStream } from './feed.js';
import { streamProposal } from './proposal-stream.js';
import { messageOf, recordsFor, refuseUnseen } from './seen-proposal.js';
import { readWait } from './wait.js';

/** Whether a request about a proposal waits for an answer. */
export function staysForAnswer(call: HttpCall): boolean {
  return call.query.has('wait') || wantsStream(call);
}

/**
 * `GET /spaces/{space}/proposals/{id}[?wait=30s]`: its state, and every message about it that the caller may
 * see; once there is an answer, or the time is up. As server-sent events, it reports what happens until then.
 */
export async function showOrFollow(call: HttpCall, caller: SpaceCaller, journal: Journal): Promise<void> {
  const [, id = ''] = call.values;
  const wait = readWait(call.query);
  if (!wait.ok) return call.refuse(wait.refusal);
  if (wantsStream(call)) {
    const after = askedAfter(call);
    if (!after.ok) return call.refuse(after.refusal);
    return await streamProposal(call, caller, { ...wait.value, id, journal, after: after.value });
  }
  const proposal = await awaitAnswer(call, caller, { id, wait: wait.value });
  if (proposal === undefined) return call.refuse(refuseUnseen(id));
  replyJson(call.response, 200, await describeWithHistory(caller, proposal, journal));
}

/** A proposal with its answer, and every message about it that the caller may see. */
export async function describeWithHistory(
  caller: SpaceCaller,
  proposal: Proposal,
  journal: Journal,
): Promise<JsonObject> {
  const history: JsonObject[] = [];
  for await (const record of recordsFor(caller, proposal.id, { journal })) {
    history.push({ type: record.type, time: record.time, facts: record.facts, message: messageOf(record) });
  }
  return { ...(await describeAnswer(caller, proposal, journal)), history };
}
