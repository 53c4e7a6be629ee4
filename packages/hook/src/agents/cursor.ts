import { join } from 'node:path';
import { defined, isJsonArray, type JsonValue } from '@proffer/core/json';
import { answerOf, isReport } from '../launch/index.js';
import type { HookAgent } from './hook-agent.js';
import type { McpNames } from './mcp-tool.js';
import { callFrom, failed, notRun, readResult } from './read-event.js';
import { addFlat, removeFlat } from './settings-entries.js';

/** Cursor's events do not name the server of a tool. */
const CURSOR_NAMES: McpNames = { prefix: 'MCP:', separator: '', spelled: (server) => server };

const ASKED_AGAIN = new Set(['beforeShellExecution', 'beforeMCPExecution']);

/**
 * Cursor: `preToolUse` before every call, which accepts allow, deny and replaced arguments but not
 * ask; `beforeShellExecution` and `beforeMCPExecution` after that, which accept ask but no replaced
 * arguments. `postToolUse` or `postToolUseFailure` follows the call. With `failClosed` a failing hook
 * is a denial.
 */
export const CURSOR: HookAgent = {
  id: 'cursor',
  label: 'Cursor',
  events: ['preToolUse', 'beforeShellExecution', 'beforeMCPExecution'],
  reports: ['postToolUse', 'postToolUseFailure'],
  hasHttp: false,
  readEvent: (event, named) => {
    const name = typeof event['hook_event_name'] === 'string' ? event['hook_event_name'] : named;
    const common = {
      agent: 'cursor',
      event: name,
      stage: ASKED_AGAIN.has(name) ? 'permission' : 'tool',
      session: event['conversation_id'],
      id: event['tool_use_id'],
      folder: event['cwd'] === '' ? undefined : (event['cwd'] ?? firstOf(event['workspace_roots'])),
      version: event['cursor_version'],
      reason: event['agent_message'],
    } as const;
    const { command = '' } = event;
    if (name === 'beforeShellExecution') return callFrom({ ...common, tool: 'Shell', input: { command } });
    const tool = name === 'beforeMCPExecution' ? mcpName(event['tool_name']) : event['tool_name'];
    return callFrom({ ...common, tool, names: CURSOR_NAMES, input: event['tool_input'] });
  },
  mcpNames: CURSOR_NAMES,
  serverFiles: () => [],
  readReport: ({ tool_output: output, error_message: message, failure_type: type }, named) => {
    if (named !== 'postToolUseFailure') return readResult(output);
    return type === 'permission_denied' ? notRun(message) : failed(message);
  },
  canChange: ({ stage }) => stage === 'tool',
  answer: (_call, verdict) => {
    if (verdict.type === 'allow')
      return answerOf({ permission: 'allow', ...defined({ updated_input: verdict.changed }) });
    const { reason } = verdict;
    return answerOf({ permission: 'deny', user_message: reason, agent_message: reason });
  },
  settings: {
    user: (home) => join(home, '.cursor', 'hooks.json'),
    project: '.cursor/hooks.json',
    all: ['.cursor/hooks.json', '.cursor/permissions.json', '.cursor/cli-config.json', '.cursor/cli.json'],
  },
  addEntries: (settings, entries) =>
    addFlat(settings, entries, ({ event, command = '', timeout }) => ({
      command,
      timeout,
      failClosed: !isReport(event),
    })),
  removeEntries: removeFlat,
  sample: (folder, command) => ({
    conversation_id: 'proffer-hook-test',
    generation_id: 'test',
    hook_event_name: 'preToolUse',
    workspace_roots: [folder],
    cwd: folder,
    tool_name: 'Shell',
    tool_input: { command },
    tool_use_id: 'test',
    agent_message: 'A sample call, to try the hook',
  }),
};

function firstOf(value: JsonValue | undefined): JsonValue | undefined {
  return isJsonArray(value) ? value[0] : undefined;
}

/** `preToolUse` names the tool of an MCP server `MCP:TOOL`, `beforeMCPExecution` names it `TOOL`. */
function mcpName(name: JsonValue | undefined): JsonValue | undefined {
  return typeof name === 'string' && !name.startsWith('MCP:') ? `MCP:${name}` : name;
}
