import { join } from 'node:path';
import { type JsonObject, type JsonValue, objectOf } from '@proffer/core/json';
import { answerOf, isReport, NO_OPINION } from '../launch/index.js';
import { codexVersion, type HookAgent } from './hook-agent.js';
import type { McpNames } from './mcp-tool.js';
import { changedNote, exited, readNamedEvent, readResult } from './read-event.js';
import { fileUpwards, tomlServers } from './server-files.js';
import { addGroups, removeGroups } from './settings-entries.js';

const CODEX_NAMES: McpNames = {
  prefix: 'mcp__',
  separator: '__',
  spelled: (server) => server.replaceAll(/[^a-zA-Z0-9_]/g, '_').replace(/_+$/, ''),
};

/**
 * Codex CLI: `PreToolUse` before every call, which accepts only a denial or replaced arguments, and
 * `PermissionRequest` when it would ask its user, which accepts allow and deny. `PostToolUse` follows
 * a call that ran, without the exit code of a command. A failing hook is ignored.
 */
export const CODEX: HookAgent = {
  id: 'codex',
  label: 'Codex CLI',
  events: ['PreToolUse', 'PermissionRequest'],
  reports: ['PostToolUse'],
  hasHttp: false,
  readEvent: readNamedEvent('codex', CODEX_NAMES),
  readReport: (
    { tool_name: tool, tool_use_id: id, tool_response: result, transcript_path: path },
    _named,
    told,
  ) => {
    if (tool !== 'Bash') return readResult(result);
    const code = typeof path === 'string' ? exitCode(told.lastEntries(path), id) : undefined;
    return code === undefined ? { type: 'ok', note: NO_EXIT_CODE } : exited(code);
  },
  version: codexVersion,
  mcpNames: CODEX_NAMES,
  serverFiles: ({ home, env, folder }) =>
    [join(env['CODEX_HOME'] ?? join(home, '.codex'), 'config.toml'), '/etc/codex/config.toml']
      .concat(fileUpwards(folder, '.codex/config.toml'))
      .map(tomlServers),
  canChange: ({ stage }) => stage === 'tool',
  answer: ({ event: hookEventName, stage }, verdict) => {
    const said = (more: object) => answerOf({ hookSpecificOutput: { hookEventName, ...more } });
    if (stage === 'permission') {
      if (verdict.type === 'allow') return said({ decision: { behavior: 'allow' } });
      return said({ decision: { behavior: 'deny', message: verdict.reason } });
    }
    if (verdict.type === 'deny')
      return said({ permissionDecision: 'deny', permissionDecisionReason: verdict.reason });
    const { by, changed } = verdict;
    if (changed === undefined) return NO_OPINION;
    return said({
      permissionDecision: 'allow',
      updatedInput: changed,
      additionalContext: changedNote(by, changed),
    });
  },
  settings: {
    user: (home, env) => join(env['CODEX_HOME'] ?? join(home, '.codex'), 'hooks.json'),
    project: '.codex/hooks.json',
    all: ['.codex/hooks.json', '.codex/config.toml', '.codex/rules'],
  },
  addEntries: (settings, entries) =>
    addGroups(settings, entries, ({ event, command = '', timeout }) => ({
      type: 'command',
      command,
      timeout,
      ...(isReport(event) ? {} : { statusMessage: 'Waiting for a decision in Proffer' }),
    })),
  removeEntries: removeGroups,
  sample: (folder, command) => ({
    session_id: 'proffer-hook-test',
    turn_id: 'test',
    cwd: folder,
    hook_event_name: 'PreToolUse',
    model: 'test',
    permission_mode: 'default',
    tool_name: 'Bash',
    tool_input: { command },
    tool_use_id: 'call_test',
  }),
};

const NO_EXIT_CODE = 'Codex CLI does not say whether the command succeeded.';

/** Codex notes the end of a command in its transcript before it reports it. */
function exitCode(entries: readonly JsonObject[], id: JsonValue | undefined): number | undefined {
  for (const { payload } of entries.toReversed()) {
    const { id: ended, exit_code: code } = objectOf(objectOf(payload)['item']);
    if (ended === id && typeof code === 'number') return code;
  }
  return undefined;
}
