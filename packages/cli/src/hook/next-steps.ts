import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { watchingSince } from '@proffer/client/machine';
import { hideInText } from '@proffer/core/secrets';
import {
  backupOf,
  type HookAgent,
  type HookSettings,
  listedPermissions,
  type SettingsChange,
} from '@proffer/hook';
import { homeOf } from '../connection/guards-folder.js';
import { machineRules } from '../rules/load-rules.js';
import { type Shell, shellWord } from '../terminal/shell.js';
import { visible } from '../terminal/visible.js';

/** What an agent needs before it uses a hook, or does despite it. */
export const AGENT_NOTES: Readonly<Record<HookAgent['id'], readonly string[]>> = {
  'claude-code': [],
  codex: [
    'Codex silently ignores new hooks until you trust them: start it, type /hooks, and trust all three.',
  ],
  'gemini-cli': [
    'Gemini CLI still asks according to its own rules after you approve. Do not turn that off with --approval-mode=yolo unless this hook is installed with --otherwise deny: without the hook, nothing would ask.',
    'For runs without a terminal (-p), install with --otherwise deny: otherwise Gemini CLI waits for the answer to a question that nobody sees.',
  ],
  cursor: [],
  'copilot-cli': [],
};

const NOT_ON_PATH =
  'proffer-hook is not on the PATH here, so this hook does nothing yet, and most agents run a call when its hook is missing. Put it on the PATH, or install without --project.';

/**
 * Whether an agent finds the command of a project's hook. Agents do not have the PATH entries that npx and
 * npm run add.
 */
function isOnPath({ env }: Pick<Shell, 'env'>): boolean {
  const folders = (env['PATH'] ?? '')
    .split(delimiter)
    .filter((folder) => !/node_modules[\\/]\.bin[\\/]?$/.test(folder));
  return folders.some((folder) =>
    ['proffer-hook', 'proffer-hook.cmd'].some((name) => existsSync(join(folder, name))),
  );
}

/** What people will be asked about, in one line. */
function whatIsAsked(
  agent: HookAgent,
  { rules: given, agentLists }: HookSettings,
  { folder, shell: { env, name } }: { readonly folder: string; readonly shell: Shell },
): string {
  if (watchingSince(folder) !== undefined)
    return `Nobody is asked yet: Proffer only watches on this machine. To see what it saw:  ${name} watch`;
  const rules = given ?? machineRules(folder);
  const place = { home: homeOf(env), env, folder: process.cwd() };
  const listed = listedPermissions(agent.id, place).filter(({ action }) => action === 'allow').length;
  const entries = `${listed} ${listed === 1 ? 'entry' : 'entries'}`;
  const own =
    agentLists === false || listed === 0 ? '' : `what ${agent.label}'s own settings allow (${entries})`;
  if (rules === undefined)
    return `You will be asked about everything except what only reads${own === '' ? '' : ` and ${own}`}. You are always asked about secrets.`;
  return `You will be asked about what ${visible(rules)} leaves open${own === '' ? '' : `, except ${own}`}.`;
}

/** What to do after the hook is in place. */
export function afterInstall(
  agent: HookAgent,
  {
    change,
    settings,
    folder,
    isProject,
    shell,
  }: {
    readonly change: SettingsChange;
    readonly settings: HookSettings;
    /** The guards' folder. */
    readonly folder: string;
    readonly isProject: boolean;
    readonly shell: Shell;
  },
): readonly string[] {
  const { name, style } = shell;
  const inbox =
    settings.gateway === undefined ? inboxCommand(shell) : `${name} inbox --url ${settings.gateway.url}`;
  return [
    `${agent.label} now asks Proffer; restart it if it is running. Settings: ${visible(change.path)}`,
    ...(change.before === undefined || change.diff.length === 0
      ? []
      : [`The previous file is in ${visible(backupOf(change.path))}`]),
    whatIsAsked(agent, settings, { folder, shell }),
    ...AGENT_NOTES[agent.id],
    ...(isProject
      ? ['Everyone who uses this project needs proffer-hook on the PATH: npm install -g @proffer/cli']
      : []),
    ...(isProject && !isOnPath(shell) ? [style.red(NOT_ON_PATH)] : []),
    '',
    style.dim(`  to try it:    ${name} hook test ${agent.id}`),
    style.dim(`  to decide:    ${inbox}`),
    ...(settings.share === undefined
      ? []
      : [style.dim('  on a phone:   in that inbox, press Notifications, then Pair a phone')]),
    style.dim(`  to undo it:   ${name} hook uninstall ${agent.id}${isProject ? ' --project' : ''}`),
  ];
}

/** Opens the inbox from another terminal, which may lack our environment variables. */
export function inboxCommand({ name, env }: Pick<Shell, 'name' | 'env'>): string {
  const home = env['PROFFER_HOME'] ?? '';
  return `${home === '' ? '' : `PROFFER_HOME=${shellWord(home)} `}${name} inbox --guard --open`;
}

/** Shows a change to a settings file, without the secrets around it. */
export function showChange(
  { path, diff }: { readonly path: string; readonly diff: readonly string[] },
  { print, style }: Pick<Shell, 'print' | 'style'>,
): void {
  const paint = (line: string): string =>
    line.startsWith('+') ? style.green(line) : line.startsWith('-') ? style.red(line) : line;
  print(
    style.bold(visible(path)),
    ...diff.map((line) => paint(visible(hideInText(line.replaceAll('\t', '    '))))),
    '',
  );
}
