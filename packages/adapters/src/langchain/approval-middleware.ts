import { ToolMessage } from '@langchain/core/messages';
import { defined } from '@proffer/core/json';
import { type AgentMiddleware, createMiddleware } from 'langchain';
import type { Gate } from '../gate/index.js';

export interface ApprovalMiddlewareOptions {
  /**
   * Interrupt the graph for each call instead of waiting in place; answer with {@link decideInterrupts}. Needs a
   * checkpointer. Default false.
   */
  readonly interrupt?: boolean;
}

/** What this middleware's interrupts contain, besides what LangChain's own middleware provides. */
export interface ApprovalInterrupt {
  readonly actionRequests: readonly { readonly name: string; readonly args: Record<string, unknown> }[];
  readonly proffer: { readonly callId: string; readonly session?: string };
}

/**
 * Middleware that asks before each tool runs, and records the result. The thread is the session: with
 * a checkpointer, a restarted process that resumes the thread finds its earlier questions. A call
 * that is not approved gives the model the reason as the tool's error. Aborting the run withdraws
 * pending calls.
 */
export function approvalMiddleware(
  gate: Gate,
  { interrupt = false }: ApprovalMiddlewareOptions = {},
): AgentMiddleware {
  return createMiddleware({
    name: 'ProfferApproval',
    async wrapToolCall(request, handler) {
      const { toolCall, runtime } = request;
      const { id: callId, name, args } = toolCall;
      const about = { name, tool_call_id: callId ?? '' };
      const refused = (content: string): ToolMessage =>
        new ToolMessage({ ...about, content, status: 'error' });
      if (callId === undefined)
        return refused('Not run: the call has no id, so nobody can be asked about it.');
      const thread = runtime.configurable?.thread_id;
      const session = typeof thread === 'string' ? { session: thread } : {};
      const { signal } = runtime;
      if (interrupt) {
        const asked: ApprovalInterrupt = {
          actionRequests: [{ name, args }],
          proffer: { callId, ...session },
        };
        // The resume value is not trusted: the gate knows what was decided.
        runtime.interrupt?.(asked);
      }
      const call = { tool: name, arguments: args, callId, ...session };
      const admitted = await gate.admit({ ...call, ...defined({ signal }) });
      if (admitted.type === 'allowed') return await handler(request);
      if (admitted.type === 'ran') return new ToolMessage({ ...about, content: asContent(admitted.output) });
      if (admitted.type !== 'approved') return refused(admitted.reason);
      try {
        const approved = { ...toolCall, args: admitted.arguments as typeof args };
        const result = await handler({ ...request, toolCall: approved });
        const output = ToolMessage.isInstance(result) ? result.content : 'Done.';
        // A tool that threw is a result for the model, and a failure all the same.
        if (ToolMessage.isInstance(result) && result.status === 'error')
          void admitted.recordFailure(asContent(output));
        else void admitted.record(output);
        return result;
      } catch (error) {
        void admitted.recordFailure(error);
        throw error;
      }
    },
  });
}

function asContent(output: unknown): string {
  return typeof output === 'string' ? output : JSON.stringify(output);
}
