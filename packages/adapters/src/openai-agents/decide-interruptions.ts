import type { RunToolApprovalItem } from '@openai/agents';
import { type Gate, NotRunError, refusalIn } from '../gate/index.js';
import { asksFirst, parsedInput } from './approved-tools.js';

export interface DecideInterruptionsOptions {
  /** The session that `approvedTools` was given. */
  readonly session?: string;
  /** Aborting withdraws pending questions. */
  readonly signal?: AbortSignal;
}

/** The part of a `RunState` used here, whatever its context and its agent. */
export interface InterruptedState {
  getInterruptions(): RunToolApprovalItem[];
  approve(item: RunToolApprovalItem): void;
  reject(item: RunToolApprovalItem, options?: { message?: string }): void;
}

/** `undefined` if it may run, else why not. */
type Verdict = { readonly item: RunToolApprovalItem; readonly refused: string | undefined };

/**
 * Answers the interruptions of a run (`needsApproval`): waits until the first is decided, approves or
 * rejects it and all others decided by then, and returns the state to run again. Those still
 * undecided interrupt that run again, and are not asked about twice. The state may come from storage
 * (`RunState.fromString`).
 */
export async function decideInterruptions<State extends InterruptedState>(
  gate: Gate,
  state: State,
  options: DecideInterruptionsOptions = {},
): Promise<State> {
  const decided: Verdict[] = [];
  const waiting = state.getInterruptions().map(async (item) => {
    decided.push({ item, refused: await refusalOf(gate, item, options) });
  });
  if (waiting.length > 0) await Promise.race(waiting);
  for (const { item, refused } of decided) {
    if (refused === undefined) state.approve(item);
    else state.reject(item, { message: refused });
  }
  return state;
}

async function refusalOf(
  gate: Gate,
  item: RunToolApprovalItem,
  options: DecideInterruptionsOptions,
): Promise<string | undefined> {
  const { rawItem, name = rawItem.type, agent } = item;
  const callId = 'callId' in rawItem ? rawItem.callId : rawItem.id;
  if (callId === undefined) return 'Not run: the call has no id, so nobody can be asked about it.';
  const call = { tool: name, arguments: argumentsOf(item), callId, ...options };
  if (agent.tools.some((tool) => tool.name === name && asksFirst(tool))) {
    return refusalIn(await gate.decide(call));
  }
  return await handOver(gate, call);
}

/**
 * For a tool that does not ask by itself: the SDK or the provider runs it, and does not report its
 * result, so it stays allowed (O-46).
 */
async function handOver(gate: Gate, call: Parameters<Gate['admit']>[0]): Promise<string | undefined> {
  const admitted = await gate.admit(call);
  if (admitted.type === 'allowed') return undefined;
  if (admitted.type !== 'approved')
    return 'reason' in admitted ? admitted.reason : 'Not run again: this call has already run.';
  if (admitted.edited) {
    const why = 'Not run: it was approved with changes, and this tool cannot take them.';
    await admitted.recordFailure(new NotRunError({ type: 'refused', reason: why }));
    return why;
  }
  admitted.leave();
  return undefined;
}

function argumentsOf({ rawItem, arguments: written }: RunToolApprovalItem): unknown {
  if (written !== undefined) return parsedInput(written);
  const { type: _, ...about } = rawItem;
  return about;
}
