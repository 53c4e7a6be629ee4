import { join } from 'node:path';
import { defined, objectOf } from '@proffer/core/json';
import { answerOf, isPermission } from '../launch/index.js';
import { copilotVersion, type HookAgent } from './hook-agent.js';
import type { McpNames } from './mcp-tool.js';
import { callFrom, exited, failed, notRun, OK } from './read-event.js';
import { fileUpwards, jsonServers } from './server-files.js';
import { addFlat, removeFlat } from './settings-entries.js';

const COPILOT_NAMES: McpNames = {
  prefix: '',
  separator: '-',
  spelled: (server) => server,
  builtIn: ['github-mcp-server'],
};

/** Copilot CLI ends the output of a command with how it ended: `<shellId: 0 completed with exit code 3>`. */
const EXIT_CODE = /<[^<>\n]*exit code (-?\d+)>\s*$/;

/**
 * GitHub Copilot CLI: `preToolUse` before every call, which accepts allow, deny, ask and replaced
 * arguments; `permissionRequest` before it would ask its user, which accepts allow and deny;
 * `postToolUse` or `postToolUseFailure` after it. A failing `preToolUse` hook is a denial, one that
 * times out is ignored.
 */
export const COPILOT_CLI: HookAgent = {
  id: 'copilot-cli',
  label: 'GitHub Copilot CLI',
  events: ['preToolUse', 'permissionRequest'],
  reports: ['postToolUse', 'postToolUseFailure'],
  // Copilot requires https for decisions.
  hasHttp: false,
  readEvent: (event, named) =>
    callFrom({
      agent: 'copilot-cli',
      event: named,
      stage: isPermission(named) ? 'permission' : 'tool',
      session: event['sessionId'] ?? event['session_id'],
      folder: event['cwd'],
      tool: event['toolName'] ?? event['tool_name'],
      names: COPILOT_NAMES,
      input: event['toolArgs'] ?? event['toolInput'] ?? event['tool_input'],
    }),
  readReport: ({ toolResult, error }, named) => {
    if (named === 'postToolUseFailure') return failed(error);
    const { resultType: type, textResultForLlm: text } = objectOf(toolResult);
    if (type === 'denied' || type === 'rejected') return notRun(text);
    if (type !== 'success') return failed(text);
    const [, code] = EXIT_CODE.exec(typeof text === 'string' ? text : '') ?? [];
    return code === undefined ? OK : exited(code);
  },
  version: copilotVersion,
  mcpNames: COPILOT_NAMES,
  serverFiles: ({ home, env, folder }) => [
    jsonServers(join(env['COPILOT_HOME'] ?? join(home, '.copilot'), 'mcp-config.json')),
    ...['.mcp.json', '.github/mcp.json'].flatMap((name) =>
      fileUpwards(folder, name).map((path) => jsonServers(path)),
    ),
  ],
  canChange: ({ stage }) => stage === 'tool',
  answer: ({ stage }, verdict) => {
    if (stage === 'permission') {
      if (verdict.type === 'deny') return answerOf({ behavior: 'deny', message: verdict.reason });
      return answerOf({ behavior: 'allow' });
    }
    if (verdict.type === 'deny')
      return answerOf({ permissionDecision: 'deny', permissionDecisionReason: verdict.reason });
    return answerOf({
      permissionDecision: 'allow',
      permissionDecisionReason: `Allowed by ${verdict.by}.`,
      ...defined({ modifiedArgs: verdict.changed }),
    });
  },
  settings: {
    user: (home, env) => join(env['COPILOT_HOME'] ?? join(home, '.copilot'), 'hooks', 'proffer.json'),
    project: '.github/hooks/proffer.json',
    all: [
      '.github/hooks',
      '.copilot/hooks',
      '.copilot/settings.json',
      '.copilot/permissions-config.json',
      '.github/copilot/settings.json',
      '.github/copilot/settings.local.json',
    ],
  },
  addEntries: (settings, entries) =>
    addFlat(settings, entries, ({ command = '', timeout }) => ({
      type: 'command',
      bash: command,
      powershell: command,
      timeoutSec: timeout,
    })),
  removeEntries: removeFlat,
  sample: (folder, command) => ({
    sessionId: 'proffer-hook-test',
    timestamp: 0,
    cwd: folder,
    toolName: 'bash',
    toolArgs: { command, description: 'A sample call, to try the hook' },
  }),
};
