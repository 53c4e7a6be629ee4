import { join, resolve } from 'node:path';
import { defined } from '@proffer/core/json';
import {
  createHookToken,
  DEFAULT_HTTP_PORT,
  dropBackup,
  type HookAgent,
  type HookSettings,
  makeChange,
  planChange,
  readHookSettings,
  type SettingsChange,
  UneditableSettingsError,
  type WhenUnavailable,
  writeHookSettings,
} from '@proffer/hook';
import { CommandFailure, EXIT, type ExitCode, usageFailure } from '../../command-failure.js';
import { guardsFolder, homeOf } from '../../connection/guards-folder.js';
import { checkGiven } from '../../guard/given-gateway.js';
import { afterInstall, showChange } from '../../hook/next-steps.js';
import { agentNamed, ownEntries } from '../../hook/own-entries.js';
import { loadRules } from '../../rules/load-rules.js';
import { shareAddress } from '../../share/address.js';
import { confirm } from '../../terminal/confirm.js';
import type { Shell } from '../../terminal/shell.js';
import { visible } from '../../terminal/visible.js';
import { beginWatching } from '../watch.js';

/** Command-line options of `hook install` and `hook uninstall`. */
export interface HookInstallOptions {
  readonly user?: boolean;
  readonly project?: boolean;
  readonly data?: string;
  readonly yes?: boolean;
  readonly wait?: number;
  readonly otherwise?: WhenUnavailable;
  readonly onlyPrompts?: boolean;
  readonly rules?: string;
  readonly agentLists?: boolean;
  readonly watch?: boolean;
  readonly http?: boolean;
  readonly httpPort?: number;
  readonly url?: string;
  readonly token?: string;
  readonly space?: string;
  /** Where phones reach the inbox; true for the address in the local network, false to end it. */
  readonly share?: string | boolean;
}

/** The maximum time for a decision: agents wait at most an hour. */
const MAX_WAIT = 3_500_000;

/** Shows what changes in an agent's settings, asks on a terminal, and changes it. */
export async function hookInstall(
  name: string,
  options: HookInstallOptions,
  shell: Shell,
): Promise<ExitCode> {
  const agent = agentNamed(name, `${shell.name} hook install`);
  checkOptions(agent, options);
  const folder = resolve(options.data ?? guardsFolder(shell.env));
  const settings = await settingsFrom(options, folder, shell);
  const entries = ownEntries(agent, {
    folder,
    wait: options.wait,
    otherwise: options.otherwise,
    onlyPrompts: options.onlyPrompts,
    isShared: options.project,
    http: options.http === true ? settings.http : undefined,
  });
  const change = changeOf(
    settingsFile(agent, options, shell),
    (before) => agent.addEntries(before, entries),
    entries,
  );
  if (change.diff.length === 0) shell.print(`${visible(change.path)} already has the hook.`);
  else if (!(await isAgreed(change, options, shell))) return EXIT.refused;
  else makeChange(change, { keep: true, hasSecret: options.http === true });
  writeHookSettings(folder, settings);
  if (options.watch === true) beginWatching(folder, shell);
  shell.print(
    ...afterInstall(agent, { change, settings, folder, isProject: options.project === true, shell }),
  );
  return EXIT.done;
}

/** Like `hookInstall`, for removal. */
export async function hookUninstall(
  name: string,
  options: HookInstallOptions,
  shell: Shell,
): Promise<ExitCode> {
  const agent = agentNamed(name, `${shell.name} hook uninstall`);
  const change = changeOf(settingsFile(agent, options, shell), agent.removeEntries);
  if (change.diff.length === 0) {
    shell.print(`${visible(change.path)} has no Proffer hook.`);
    return EXIT.done;
  }
  if (!(await isAgreed(change, options, shell))) return EXIT.refused;
  makeChange(change);
  dropBackup(change.path);
  shell.print(`${agent.label} no longer asks Proffer. Restart it if it is running.`);
  return EXIT.done;
}

function checkOptions(agent: HookAgent, options: HookInstallOptions): void {
  if (options.user === true && options.project === true)
    throw usageFailure('--user and --project cannot be used together.');
  if (options.http === true && !agent.hasHttp)
    throw usageFailure(`${agent.label} cannot ask for decisions over HTTP; leave out --http.`);
  if (options.http === true && options.project === true)
    throw usageFailure(
      '--http needs a token, and project settings are shared: use --http without --project.',
    );
  if (options.http === true && options.otherwise === 'deny')
    throw usageFailure(
      `--otherwise deny does not work with --http: without an answer, ${agent.label} follows its own rules.`,
    );
  if (options.onlyPrompts === true && !agent.events.some((event) => /^permissionrequest$/i.test(event)))
    throw usageFailure(`${agent.label} has no hook for its own prompts; leave out --only-prompts.`);
  if ((options.wait ?? 0) > MAX_WAIT)
    throw usageFailure('--wait can be at most 58m: agents wait at most an hour for a hook.');
}

/** Settings of all hooks on this machine: the saved ones, overridden by the options. */
async function settingsFrom(
  options: HookInstallOptions,
  folder: string,
  shell: Shell,
): Promise<HookSettings> {
  const before = readHookSettings(folder);
  const rules = options.rules === undefined ? before.rules : resolve(options.rules);
  if (rules !== undefined) await loadRules(rules);
  const http =
    options.http === true
      ? {
          port: options.httpPort ?? before.http?.port ?? DEFAULT_HTTP_PORT,
          token: before.http?.token ?? createHookToken(),
        }
      : before.http;
  const agentLists = options.agentLists ?? before.agentLists;
  const gateway = options.url === undefined ? before.gateway : await gatewayFrom(options, shell);
  const share = shareFrom(options, { ...before, ...defined({ gateway }) });
  return defined({ rules, gateway, agentLists, http, share });
}

/** Checked here, where somebody reads the error. */
function shareFrom(
  { share: asked }: HookInstallOptions,
  { gateway, share: before }: HookSettings,
): HookSettings['share'] {
  if (asked === false) return undefined;
  if (asked === undefined) return gateway === undefined ? before : undefined;
  if (gateway !== undefined)
    throw usageFailure(
      "--share is for the gateway that this machine's hooks and guards share, so it cannot be used with --url.",
    );
  shareAddress(asked);
  return asked;
}

async function gatewayFrom(
  { url = '', token, space = 'main' }: HookInstallOptions,
  shell: Shell,
): Promise<NonNullable<HookSettings['gateway']>> {
  const given = token ?? shell.env['PROFFER_TOKEN'] ?? '';
  if (given === '') throw usageFailure('--url needs --token (or PROFFER_TOKEN).');
  await checkGiven({ url, token: given, space }, shell);
  return { url, token: given, space };
}

function settingsFile(agent: HookAgent, { project }: HookInstallOptions, { env }: Shell): string {
  if (project === true) return join(process.cwd(), agent.settings.project);
  return agent.settings.user(homeOf(env), env);
}

function changeOf(path: string, edit: HookAgent['removeEntries'], snippet?: unknown): SettingsChange {
  try {
    return planChange(path, edit);
  } catch (error) {
    if (!(error instanceof UneditableSettingsError)) throw error;
    const next =
      snippet === undefined
        ? ['Remove the entries with proffer-hook by hand.']
        : ['Correct the file and try again, or add these by hand:', JSON.stringify(edit({}), undefined, 2)];
    throw new CommandFailure(
      { exit: EXIT.refused, code: 'uneditable_settings', message: error.message, next },
      error,
    );
  }
}

async function isAgreed(change: SettingsChange, { yes }: HookInstallOptions, shell: Shell): Promise<boolean> {
  showChange(change, shell);
  // Confirmation is asked for on a terminal only (decision 0015).
  const isTerminal = shell.stdin.isTTY === true && shell.stdout.isTTY === true;
  if (yes === true || !isTerminal) return true;
  return await confirm('Make this change?', shell, shell.interruption());
}
