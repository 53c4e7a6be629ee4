import { join } from 'node:path';
import { defined, type JsonObject, objectOf } from '@proffer/core/json';
import { answerOf } from '../launch/index.js';
import { claudeVersion, type HookAgent, type HookEntry } from './hook-agent.js';
import type { McpNames } from './mcp-tool.js';
import { changedNote, failed, readNamedEvent, readResult } from './read-event.js';
import { claudeServers, fileUpwards, jsonServers } from './server-files.js';
import { addGroups, removeGroups } from './settings-entries.js';

const CLAUDE_NAMES: McpNames = {
  prefix: 'mcp__',
  separator: '__',
  spelled: (server) => server.replaceAll(/[^a-zA-Z0-9_-]/g, '_'),
};

/**
 * Claude Code: `PreToolUse` before every call, `PermissionRequest` when it would ask its user,
 * `PostToolUse` or `PostToolUseFailure` after it. It
 * accepts allow, deny and ask, and replaced arguments. A hook that fails or times out is ignored, so
 * that Claude Code falls back to its own permissions.
 */
export const CLAUDE_CODE: HookAgent = {
  id: 'claude-code',
  label: 'Claude Code',
  events: ['PreToolUse', 'PermissionRequest'],
  reports: ['PostToolUse', 'PostToolUseFailure'],
  hasHttp: true,
  readEvent: readNamedEvent('claude-code', CLAUDE_NAMES),
  readReport: ({ tool_response: result, error, is_interrupt: isInterrupted }, named) => {
    if (named === 'PostToolUseFailure') return failed(isInterrupted === true ? 'It was interrupted.' : error);
    const isBehind = typeof objectOf(result)['backgroundTaskId'] === 'string';
    return isBehind ? { type: 'ok', note: 'It was started in the background.' } : readResult(result);
  },
  version: claudeVersion,
  mcpNames: CLAUDE_NAMES,
  serverFiles: ({ home, env, folder }) => [
    claudeServers(join(env['CLAUDE_CONFIG_DIR'] ?? home, '.claude.json'), folder),
    ...fileUpwards(folder, '.mcp.json').map((path) => jsonServers(path)),
    jsonServers('/etc/claude-code/managed-mcp.json'),
    jsonServers('/Library/Application Support/ClaudeCode/managed-mcp.json'),
  ],
  canChange: () => true,
  answer: ({ event, stage }, verdict) => {
    if (stage === 'permission') {
      const decision =
        verdict.type === 'deny'
          ? { behavior: 'deny', message: verdict.reason }
          : { behavior: 'allow', ...defined({ updatedInput: verdict.changed }) };
      return answerOf({ hookSpecificOutput: { hookEventName: event, decision } });
    }
    if (verdict.type === 'deny')
      return toolAnswer(event, { permissionDecision: 'deny', permissionDecisionReason: verdict.reason });
    const { by, changed } = verdict;
    return toolAnswer(event, {
      permissionDecision: 'allow',
      permissionDecisionReason: `Allowed by ${by}.`,
      ...(changed === undefined
        ? {}
        : { updatedInput: changed, additionalContext: changedNote(by, changed) }),
    });
  },
  settings: {
    user: (home, env) => join(env['CLAUDE_CONFIG_DIR'] ?? join(home, '.claude'), 'settings.json'),
    project: '.claude/settings.json',
    all: ['.claude/settings.json', '.claude/settings.local.json'],
  },
  addEntries: (settings, entries) => addGroups(settings, entries, hookOf),
  removeEntries: removeGroups,
  sample: (folder, command) => ({
    session_id: 'proffer-hook-test',
    cwd: folder,
    permission_mode: 'default',
    hook_event_name: 'PreToolUse',
    tool_name: 'Bash',
    tool_input: { command, description: 'A sample call, to try the hook' },
    tool_use_id: 'toolu_test',
  }),
};

function toolAnswer(hookEventName: string, decision: JsonObject) {
  return answerOf({ hookSpecificOutput: { hookEventName, ...decision } });
}

function hookOf({ command, http, timeout }: HookEntry): JsonObject {
  if (http === undefined) return { type: 'command', command: command ?? '', timeout };
  return { type: 'http', url: http.url, headers: { Authorization: `Bearer ${http.token}` }, timeout };
}
