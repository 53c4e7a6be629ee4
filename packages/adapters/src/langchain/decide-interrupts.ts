import type { AIMessage, BaseMessage } from '@langchain/core/messages';
import { Command, type Interrupt } from '@langchain/langgraph';
import { defined } from '@proffer/core/json';
import type { HITLRequest, HITLResponse } from 'langchain';
import { type Gate, refusalIn } from '../gate/index.js';
import type { ApprovalInterrupt } from './approval-middleware.js';

type Decision = HITLResponse['decisions'][number];

export interface DecideInterruptsOptions {
  /**
   * The thread, for interrupts of `humanInTheLoopMiddleware`, which do not name it. Default: the gate's
   * session.
   */
  readonly session?: string;
  /** Aborting withdraws pending questions. */
  readonly signal?: AbortSignal;
}

/**
 * The result of an interrupted agent, or its state: `(await agent.getState(config)).values` with its
 * interrupts.
 */
export interface Interrupted {
  readonly __interrupt__?: readonly Interrupt[];
  readonly messages?: readonly BaseMessage[];
}

/**
 * Answers the interrupts of an agent: those of `approvalMiddleware(gate, { interrupt: true })`, and
 * those of LangChain's own `humanInTheLoopMiddleware`. Waits until the first is decided, and returns
 * the command to resume with; those still undecided interrupt again, and are not asked about twice.
 * `undefined` if there is no interrupt.
 */
export async function decideInterrupts(
  gate: Gate,
  { __interrupt__: interrupts = [], messages = [] }: Interrupted,
  options: DecideInterruptsOptions = {},
): Promise<Command<HITLResponse> | undefined> {
  const resume: Record<string, HITLResponse> = {};
  const waiting = interrupts.map(async ({ id = '', value }) => {
    const request = value as Partial<ApprovalInterrupt> & HITLRequest;
    const decisions =
      request.proffer === undefined
        ? await decideReview(gate, request, messages, options)
        : [await decideCall(gate, { ...request.actionRequests[0], ...request.proffer }, options)];
    resume[id] = { decisions };
  });
  if (waiting.length === 0) return undefined;
  await Promise.race(waiting);
  return new Command({ resume: { ...resume } }) as unknown as Command<HITLResponse>;
}

interface Asked {
  readonly name?: string;
  readonly args?: Record<string, unknown>;
  readonly callId: string;
  readonly session?: string;
}

/** The middleware runs it, as decided; this only waits for the decision. */
async function decideCall(
  gate: Gate,
  { name = '', args, callId, session }: Asked,
  { signal }: DecideInterruptsOptions,
): Promise<Decision> {
  const message = refusalIn(
    await gate.decide({ tool: name, arguments: args, callId, ...defined({ session, signal }) }),
  );
  return message === undefined ? { type: 'approve' } : { type: 'reject', message };
}

/**
 * LangChain's own middleware asks about several calls at once, without their ids: the last message
 * has them.
 */
async function decideReview(
  gate: Gate,
  { actionRequests }: HITLRequest,
  messages: readonly BaseMessage[],
  options: DecideInterruptsOptions,
): Promise<Decision[]> {
  const last = messages.findLast((message): message is AIMessage => message.getType() === 'ai');
  const calls = [...(last?.tool_calls ?? [])];
  const asked = actionRequests.map(({ name, args, description }) => {
    const index = calls.findIndex((call) => call.name === name);
    const [call] = index < 0 ? [] : calls.splice(0, index + 1).slice(-1);
    return { name, args, description, callId: call?.id };
  });
  return await Promise.all(asked.map((call) => handOver(gate, call, options)));
}

async function handOver(
  gate: Gate,
  {
    name,
    args,
    description,
    callId,
  }: Omit<Asked, 'callId'> & {
    readonly description?: string | undefined;
    readonly callId: string | undefined;
  },
  options: DecideInterruptsOptions,
): Promise<Decision> {
  if (name === undefined || callId === undefined)
    return { type: 'reject', message: 'Not run: the call has no id, so nobody can be asked about it.' };
  const call = { tool: name, arguments: args, callId, ...options };
  const admitted = await gate.admit({ ...call, ...defined({ reason: description }) });
  if (admitted.type === 'allowed') return { type: 'approve' };
  if (admitted.type !== 'approved')
    return {
      type: 'reject',
      message: 'reason' in admitted ? admitted.reason : 'Not run again: this call has already run.',
    };
  // The middleware runs it, and does not report its result (O-46).
  admitted.leave();
  if (!admitted.edited) return { type: 'approve' };
  return { type: 'edit', editedAction: { name, args: admitted.arguments as Record<string, unknown> } };
}
