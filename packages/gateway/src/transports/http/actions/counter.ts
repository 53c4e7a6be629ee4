import { type Refusal, refuse } from '@proffer/core';
import { describe, type JsonObject, type JsonValue, quote } from '@proffer/core/json';
import type { Proposal } from '@proffer/core/operations';
import { refuseUnseen } from '../spaces/seen-proposal.js';
import type { ActionMessage, ActionSubject } from './action.js';

/** `{ arguments }` is short for the proposed params with other arguments. */
export async function composeCounter(
  { arguments: given, params, answers, ...payload }: JsonObject,
  { id, proposal: find }: ActionSubject,
): Promise<ActionMessage | Refusal> {
  const proposal = await find();
  if (proposal === undefined) return refuseUnseen(id);
  if ((given === undefined) === (params === undefined))
    return refuse('invalid_field', 'The body must have either arguments or params.', { field: 'arguments' });
  const answered = answers === undefined ? id : counterIn(proposal, answers);
  if (answered === undefined) return refuseOther(id, answers);
  return {
    kind: 'mcpx.counter.proposal',
    correlationId: answered,
    payload: { ...payload, params: params ?? { ...proposal.params, arguments: given } },
  };
}

/** The counter-offer must be about the proposal in the path. */
export async function composeAcceptance(
  { counter, ...payload }: JsonObject,
  { id, proposal: find }: ActionSubject,
): Promise<ActionMessage | Refusal> {
  const proposal = await find();
  if (proposal === undefined) return refuseUnseen(id);
  const accepted = counterIn(proposal, counter);
  if (accepted === undefined) return refuseOther(id, counter);
  return { kind: 'mcpx.accept.counter', correlationId: accepted, payload };
}

function counterIn({ counters }: Proposal, id: JsonValue | undefined): string | undefined {
  return counters.find((each) => each.id === id)?.id;
}

function refuseOther(proposal: string, counter: JsonValue | undefined): Refusal {
  const sentence = `Counter-offer ${describe(counter)} to ${quote(proposal)} not found.`;
  return refuse('unknown_counter', sentence, { proposal, counter });
}
