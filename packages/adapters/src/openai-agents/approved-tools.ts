import type { FunctionTool, Tool } from '@openai/agents';
import { defined } from '@proffer/core/json';
import type { Gate } from '../gate/index.js';

export interface OpenAiToolsOptions {
  /** The conversation the calls belong to, if not the gate's session. */
  readonly session?: string;
}

/**
 * The function tools that ask before they run; others run what an interruption approved without
 * asking again.
 */
const asking = new WeakSet<object>();

/** Whether a tool asks before it runs. */
export function asksFirst(tool: object): boolean {
  return asking.has(tool);
}

/**
 * The same tools, where each function tool asks before it runs. A call that is not approved returns
 * the reason as its output. Aborting the run withdraws pending calls. Hosted tools run elsewhere and
 * are unchanged.
 */
export function approvedTools<Context>(
  gate: Gate,
  tools: readonly Tool<Context>[],
  { session }: OpenAiToolsOptions = {},
): Tool<Context>[] {
  return tools.map((tool) => (tool.type === 'function' ? approvedTool(gate, tool, session) : tool));
}

function approvedTool<Context>(
  gate: Gate,
  tool: FunctionTool<Context>,
  session: string | undefined,
): FunctionTool<Context> {
  const approved: FunctionTool<Context> = {
    ...tool,
    async invoke(context, input, details) {
      const { toolCall, signal } = details ?? {};
      if (toolCall === undefined) return 'Not run: the call has no id, so nobody can be asked about it.';
      const shown = parsedInput(input);
      const call = {
        tool: tool.name,
        arguments: shown,
        callId: toolCall.callId,
        ...defined({ signal, session }),
      };
      const admitted = await gate.admit(call);
      if (admitted.type === 'allowed') return await tool.invoke(context, input, details);
      if (admitted.type === 'ran') return admitted.output;
      if (admitted.type !== 'approved') return admitted.reason;
      const { arguments: args, record, recordFailure } = admitted;
      try {
        const output = await tool.invoke(context, args === shown ? input : JSON.stringify(args), details);
        void (isFailure(output) ? recordFailure(output) : record(output));
        return output;
      } catch (error) {
        void recordFailure(error);
        throw error;
      }
    },
  };
  asking.add(approved);
  return approved;
}

/**
 * Whether an output is what the SDK tells the model about a tool that threw or timed out. What a tool's own
 * `errorFunction` says cannot be told from its output.
 */
function isFailure(output: unknown): boolean {
  return (
    typeof output === 'string' &&
    (output.startsWith('An error occurred while running the tool.') ||
      /^Tool '[^']*' timed out after \d+ms\.$/.test(output))
  );
}

/** The arguments as an object; invalid JSON is shown as it is, and left to the tool to refuse. */
export function parsedInput(input: string): unknown {
  try {
    return JSON.parse(input);
  } catch {
    return { input };
  }
}
