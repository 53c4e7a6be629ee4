import { defined } from '@proffer/core/json';
import type { Admitted, Gate } from '../gate/index.js';
import type { CanUseTool, HookCallback, ToolHooks } from './contract.js';

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
    if (admitted.type === 'ran') return { behavior: 'deny', message: 'Not run: this call has run before.' };
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
