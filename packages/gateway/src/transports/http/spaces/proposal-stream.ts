import { hasAnswer } from '@proffer/core/operations';
import type { Journal } from '@proffer/journal';
import { frameMessage } from '../../../delivery/index.js';
import type { SpaceCaller } from '../../../operations/index.js';
import { createEventStream } from '../event-stream.js';
import type { HttpCall } from '../router.js';
import { describeAnswer } from './answer.js';
import { findProposal, messageOf, recordsFor, refuseUnseen } from './seen-proposal.js';

export interface ProposalStreamOptions {
  readonly id: string;
  readonly journal: Journal;
  /** The `seq` of the last message that the caller saw. */
  readonly after: number;
  readonly ignoreRejections: boolean;
}

/**
 * One proposal as server-sent events: its messages so far, then new ones, and when there is an answer the
 * event `outcome`, which ends the stream. A client that follows a proposal naming it as the executor counts
 * as connected meanwhile, so that it can run what it proposed without a WebSocket.
 */
export async function streamProposal(
  call: HttpCall,
  caller: SpaceCaller,
  { id, journal, after, ignoreRejections }: ProposalStreamOptions,
): Promise<void> {
  const { response } = call;
  const found = await findProposal(caller, id);
  if (found === undefined) return call.refuse(refuseUnseen(id));
  const sink = createEventStream(response);
  const gone = new AbortController();
  response.once('close', () => gone.abort());
  if (found.executor === caller.name && !response.destroyed) {
    const leave = caller.liveSpace.attend(caller);
    response.once('close', leave);
  }
  const { watchers } = caller.liveSpace;
  let from = 1;
  while (!response.destroyed) {
    // In this order: nothing is missed in between, and the records are at least as new as the proposal.
    const changed = watchers.next(id, gone.signal);
    const proposal = await findProposal(caller, id);
    const isNews = proposal !== undefined && proposal.version >= from;
    for await (const record of isNews ? recordsFor(caller, id, { journal, from }) : []) {
      // Each time: reading, and a slow reader, take time in which the credential may be revoked (I-4).
      if (!caller.rights().ok) break;
      from = record.version + 1;
      if (record.seq <= after) continue;
      const text = JSON.stringify(messageOf(record));
      sink.write(frameMessage('event-stream', { text, seq: record.seq, time: record.time }));
      await sink.drained();
    }
    if (proposal === undefined || !caller.rights().ok) return sink.end('credential_revoked');
    if (hasAnswer(proposal, ignoreRejections)) {
      const outcome = await describeAnswer(caller, proposal, journal);
      response.end(`event: outcome\ndata: ${JSON.stringify(outcome)}\n\n`);
      return;
    }
    if (watchers.isOver) return sink.end('going_away');
    await changed;
  }
}
