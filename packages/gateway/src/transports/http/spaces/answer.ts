import { type JsonObject } from '@proffer/core/json';
import { hasAnswer, type Proposal } from '@proffer/core/operations';
import type { Journal } from '@proffer/journal';
import type { SpaceCaller } from '../../../operations/index.js';
import type { HttpCall } from '../router.js';
import { findProposal, recordsFor } from './seen-proposal.js';
import type { Wait } from './wait.js';

/**
 * Waits until there is an answer to a proposal, the time is up, the caller is gone or may no longer be here,
 * or the gateway stops. Returns the proposal as of then; `undefined` if the caller cannot see one.
 */
export async function awaitAnswer(
  { response }: Pick<HttpCall, 'response'>,
  caller: SpaceCaller,
  { id, wait }: { readonly id: string; readonly wait: Wait },
): Promise<Proposal | undefined> {
  if (wait.atMost === 0) return await findProposal(caller, id);
  const gone = new AbortController();
  const leave = (): void => gone.abort();
  response.once('close', leave);
  const signal = AbortSignal.any([gone.signal, AbortSignal.timeout(wait.atMost)]);
  const { watchers } = caller.liveSpace;
  try {
    for (;;) {
      // Before reading the proposal, so that nothing is missed in between.
      const changed = watchers.next(id, signal);
      const proposal = await findProposal(caller, id);
      if (proposal === undefined || hasAnswer(proposal, wait.ignoreRejections)) return proposal;
      if (signal.aborted || watchers.isOver || !caller.rights().ok) return proposal;
      await changed;
    }
  } finally {
    response.off('close', leave);
    leave();
  }
}

/**
 * A proposal with its answer: whether there is one, and the operation's own answer, in JSON-RPC form (`{
 * result }` or `{ error }`).
 */
export async function describeAnswer(
  caller: SpaceCaller,
  proposal: Proposal,
  journal: Journal,
): Promise<JsonObject> {
  const answer = { proposal: caller.liveSpace.host.view(proposal), done: hasAnswer(proposal) };
  if (proposal.outcome?.response === undefined) return answer;
  for await (const { type, envelope } of recordsFor(caller, proposal.id, { journal })) {
    if (type !== 'answered' || envelope.id !== proposal.outcome.response) continue;
    const { result, error } = envelope.payload;
    return { ...answer, response: error === undefined ? { result } : { error } };
  }
  return answer;
}
