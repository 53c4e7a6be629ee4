import { join } from 'node:path';
import { type JsonObject, type JsonValue, objectOf } from '@proffer/core/json';
import { answerOf } from '../launch/index.js';
import type { HookAgent } from './hook-agent.js';
import type { CallReport, McpTool } from './hook-call.js';
import type { McpNames } from './mcp-tool.js';
import { callFrom, exited, failed, notRun, OK, readResult } from './read-event.js';
import { addGroups, removeGroups } from './settings-entries.js';

/** Only for an event without the names: a server's may contain the separator, too. */
const GEMINI_NAMES: McpNames = { prefix: 'mcp_', separator: '_', spelled: (server) => server };

/**
 * Gemini CLI: `BeforeTool` before every call, `AfterTool` after one that ran. It accepts a denial, a question to its own user, and
 * arguments that are merged into those of the call; allow leaves the call to its own policy. A
 * failing hook is ignored.
 */
export const GEMINI_CLI: HookAgent = {
  id: 'gemini-cli',
  label: 'Gemini CLI',
  events: ['BeforeTool'],
  reports: ['AfterTool'],
  hasHttp: false,
  readEvent: (event, named) =>
    callFrom({
      agent: 'gemini-cli',
      event: typeof event['hook_event_name'] === 'string' ? event['hook_event_name'] : named,
      stage: 'tool',
      session: event['session_id'],
      folder: event['cwd'],
      tool: event['tool_name'],
      input: event['tool_input'],
      names: GEMINI_NAMES,
      mcp: namedTool(event['mcp_context']),
    }),
  mcpNames: GEMINI_NAMES,
  serverFiles: () => [],
  readReport: ({ tool_name: tool, tool_response: response }) => {
    const reported = readResult(response);
    const { llmContent: text } = objectOf(response);
    if (reported.type !== 'ok' || tool !== 'run_shell_command' || typeof text !== 'string') return reported;
    return endOfCommand(text);
  },
  // Merging can add and change, but not remove.
  canChange: ({ arguments: asked }, changed) => Object.keys(asked).every((key) => key in changed),
  answer: (_call, verdict) => {
    if (verdict.type === 'deny') return answerOf({ decision: 'deny', reason: verdict.reason });
    const { by, changed } = verdict;
    if (changed === undefined) return answerOf({ decision: 'allow' });
    return answerOf({
      decision: 'allow',
      systemMessage: `${by} changed this call while approving it.`,
      hookSpecificOutput: { hookEventName: 'BeforeTool', tool_input: changed },
    });
  },
  settings: {
    user: (home) => join(home, '.gemini', 'settings.json'),
    project: '.gemini/settings.json',
    all: ['.gemini/settings.json', '.gemini/policies'],
  },
  addEntries: (settings, entries) =>
    addGroups(settings, entries, ({ command = '', timeout }): JsonObject => {
      return { type: 'command', name: 'proffer', command, timeout: timeout * 1_000 };
    }),
  removeEntries: removeGroups,
  sample: (folder, command) => ({
    session_id: 'proffer-hook-test',
    cwd: folder,
    hook_event_name: 'BeforeTool',
    timestamp: new Date(0).toISOString(),
    tool_name: 'run_shell_command',
    tool_input: { command, description: 'A sample call, to try the hook' },
  }),
};

/** The server and its tool, as the event names them. */
function namedTool(context: JsonValue | undefined): McpTool | undefined {
  const { server_name: server, tool_name: tool } = objectOf(context);
  return typeof server === 'string' && typeof tool === 'string' ? { server, tool } : undefined;
}

/** Gemini CLI appends how a command ended to its output, in these lines, if it did not succeed. */
const ENDED = /^(?:Exit Code: (?<code>-?\d+)|Signal: (?<signal>\w+))$/;
const AFTER_END = /^(?:(?:Background PIDs|Process Group PGID): .*|<\/untrusted_context>|)$/;

function endOfCommand(text: string): CallReport {
  const lines = text.split('\n');
  const start = lines[0] === '<untrusted_context>' ? lines[1] : lines[0];
  if (start?.startsWith('Command was cancelled by user before it could start') === true) return notRun(start);
  if (/^Command was (?:automatically )?cancelled/.test(start ?? '')) return failed(start);
  for (const line of lines.toReversed()) {
    const { code, signal } = ENDED.exec(line)?.groups ?? {};
    if (code !== undefined) return exited(code);
    if (signal !== undefined) return failed(`Signal ${signal}`);
    if (!AFTER_END.test(line)) break;
  }
  return OK;
}
