import { defined } from '@proffer/core/json';
import type { Admitted, Gate } from '../gate/index.js';

/**
 * The parts of the Claude Agent SDK's callback types used here. Declared here, because the SDK
 * contains a program of hundreds of megabytes that building and testing this does not need.
 */

export type PermissionResult =
  | { behavior: 'allow'; updatedInput?: Record<string, unknown> }
  | { behavior: 'deny'; message: string; interrupt?: boolean };

/** The option `canUseTool`. */
export type CanUseTool = (
  toolName: string,
  input: Record<string, unknown>,
  options: {
    signal: AbortSignal;
    toolUseID: string;
    decisionReason?: string;
    title?: string;
  },
) => Promise<PermissionResult>;

/** The input of the hooks used here. */
export type ToolHookInput = {
  hook_event_name: string;
  session_id?: string;
  tool_use_id?: string;
  tool_response?: unknown;
  error?: string;
};

export type HookCallback = (
  input: ToolHookInput,
  toolUseID: string | undefined,
  options: { signal: AbortSignal },
) => Promise<Record<string, never>>;

/** The option `hooks`, with the events used here. */
export type ToolHooks = {
  PostToolUse: { hooks: HookCallback[] }[];
  PostToolUseFailure: { hooks: HookCallback[] }[];
};

export interface Approvals {
  readonly canUseTool: CanUseTool;
  readonly hooks: ToolHooks;
}

/**
 * Options for `query`: `canUseTool` asks about every call that the SDK's permission rules do not
 * settle, and the hooks record the results of approved calls. If you have your own `hooks` for the
 * same events, add these to them.
 */
export function approvals(gate: Gate): Approvals {
  const running = new Map<string, Admitted>();
  const canUseTool: CanUseTool = async (tool, input, { signal, toolUseID, decisionReason, title }) => {
    const reason = title ?? decisionReason;
    const call = { tool, arguments: input, callId: toolUseID, signal };
    const admitted = await gate.admit({ ...call, ...defined({ reason }) });
    if (admitted.type === 'allowed') return { behavior: 'allow', updatedInput: input };
    if (admitted.type === 'ran')
      return { behavior: 'deny', message: 'Not run again: this call has already run.' };
    if (admitted.type !== 'approved') return { behavior: 'deny', message: admitted.reason };
    running.set(toolUseID, admitted);
    return { behavior: 'allow', updatedInput: admitted.arguments as Record<string, unknown> };
  };
  const record: HookCallback = async ({ tool_use_id, tool_response, error }, toolUseID) => {
    const id = tool_use_id ?? toolUseID ?? '';
    const admitted = running.get(id);
    running.delete(id);
    if (error !== undefined) await admitted?.recordFailure(error);
    else await admitted?.record(tool_response);
    return {};
  };
  const recording = [{ hooks: [record] }];
  return { canUseTool, hooks: { PostToolUse: recording, PostToolUseFailure: recording } };
}
