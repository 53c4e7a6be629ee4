import { defined } from '@proffer/core/json';
import { asSchema, type Tool, type ToolExecutionOptions, type ToolSet } from 'ai';
import { type Gate, NotRunError } from '../gate/index.js';

export interface AiSdkToolsOptions {
  /** The conversation the calls belong to, if not the gate's session. */
  readonly session?: string;
}

/**
 * The same tools, each of which asks before it runs. A call that is not approved fails with the
 * reason, which the AI SDK passes to the model as the tool's error. Aborting the generation withdraws
 * pending calls. Tools without `execute` run elsewhere and are unchanged.
 */
export function approvedTools<Tools extends ToolSet>(
  gate: Gate,
  tools: Tools,
  { session }: AiSdkToolsOptions = {},
): Tools {
  const wrapped = Object.entries(tools).map(([name, tool]): [string, Tool] => {
    // `ToolSet` has tools with arbitrary inputs and outputs; here they are only passed through.
    const { execute } = tool as Tool;
    if (execute === undefined) return [name, tool as Tool];
    const asking = (input: unknown, options: ToolExecutionOptions<unknown>): Promise<unknown> => {
      const { toolCallId: callId, abortSignal: signal } = options;
      const call = { tool: name, arguments: input, callId, ...defined({ signal, session }) };
      return gate.run(call, async (args) => {
        const checked = args === input ? input : await checkedInput(tool as Tool, args);
        return await lastOf(await execute(checked, options as never));
      });
    };
    return [name, { ...tool, execute: asking } as unknown as Tool];
  });
  return Object.fromEntries(wrapped) as Tools;
}

/** The approver may have changed the arguments to something the tool does not accept. */
async function checkedInput({ inputSchema }: Tool, args: unknown): Promise<unknown> {
  const validated = await asSchema(inputSchema).validate?.(args);
  if (validated === undefined) return args;
  if (validated.success) return validated.value;
  const reason = `Not run: the arguments were edited and do not fit the tool. ${validated.error.message}`;
  throw new NotRunError({ type: 'refused', reason });
}

/** A tool may yield preliminary results; the last one is the result. */
async function lastOf(output: unknown): Promise<unknown> {
  const isStream = typeof output === 'object' && output !== null && Symbol.asyncIterator in output;
  if (!isStream) return output;
  let last: unknown;
  for await (const part of output as AsyncIterable<unknown>) last = part;
  return last;
}
