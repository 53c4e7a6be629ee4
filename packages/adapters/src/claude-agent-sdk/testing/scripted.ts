import type { Driver } from '../../testing/driver.js';
import { approvals } from '../index.js';

/**
 * What the Claude Agent SDK does with a tool call that its rules do not settle, according to its
 * documentation: it asks `canUseTool`, runs an allowed call with `updatedInput`, calls the hooks, and
 * informs the model.
 */
export const byCanUseTool: Driver = {
  name: 'Claude Agent SDK, canUseTool',
  // It resumes a session, but not a call that was waiting: the model makes a new one.
  resumes: false,
  async converse({ gate, tool, arguments: input, execute, signal = new AbortController().signal }) {
    const { canUseTool, hooks } = approvals(gate);
    const toolUseID = `toolu-${tool}`;
    const permission = await canUseTool(tool, { ...input }, { signal, toolUseID });
    if (permission.behavior === 'deny') return permission.message;
    const report = async (event: 'PostToolUse' | 'PostToolUseFailure', ended: object): Promise<void> => {
      const about = { session_id: 's', tool_use_id: toolUseID, ...ended };
      for (const { hooks: callbacks } of hooks[event])
        for (const callback of callbacks)
          await callback({ hook_event_name: event, ...about }, toolUseID, { signal });
    };
    try {
      const response = execute(permission.updatedInput ?? input);
      await report('PostToolUse', { tool_response: response });
      return response;
    } catch (error) {
      await report('PostToolUseFailure', { error: String(error) });
      return String(error);
    }
  },
};
