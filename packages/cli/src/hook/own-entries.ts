import { fileURLToPath } from 'node:url';
import { checkAskingName } from '@proffer/client/machine';
import { defined } from '@proffer/core/json';
import { AGENT_IDS, findAgent, type HookAgent, type HookCommandOptions, hookEntries } from '@proffer/hook';
import { nearest } from '@proffer/reading';
import { usageFailure } from '../command-failure.js';
import { guardsFolder } from '../connection/guards-folder.js';
import { PACKAGE_FOLDER } from '../own-package.js';

/** How long a person has to decide about a call of an agent, in milliseconds. */
export const DEFAULT_WAIT = 600_000;

/** What differs from hooks with the default options. */
export interface EntryOptions {
  /** The guards' folder. */
  readonly folder: string;
  /** In milliseconds. */
  readonly wait?: number | undefined;
  readonly otherwise?: HookCommandOptions['otherwise'] | undefined;
  readonly onlyPrompts?: boolean | undefined;
  /** For the settings of a project, which other people and machines share. */
  readonly isShared?: boolean | undefined;
  readonly http?: HookCommandOptions['http'] | undefined;
}

/** The entries that make an agent ask the program that is running now. */
export function ownEntries(agent: HookAgent, options: EntryOptions): ReturnType<typeof hookEntries> {
  const {
    folder,
    wait = DEFAULT_WAIT,
    otherwise = 'ask',
    onlyPrompts = false,
    isShared = false,
    http,
  } = options;
  return hookEntries(agent, {
    launcher: isShared
      ? ['proffer-hook']
      : [process.execPath, fileURLToPath(new URL('bin/proffer-hook.cjs', PACKAGE_FOLDER))],
    wait: Math.round(wait / 1_000),
    otherwise,
    onlyPrompts,
    ...(isShared || isDefaultFolder(folder) ? {} : { data: folder }),
    ...defined({ http }),
  });
}

/** A name that a guard may have, as close to the server's as possible. */
function guardName(server: string): string {
  const plain = server.replaceAll(/[^\w.-]/g, '_').slice(0, 60);
  return checkAskingName(plain) === 'ok' ? plain : `mcp-${plain.replace(/^[^A-Za-z0-9_]+/, '')}`;
}

/**
 * The words that put a guard of this program in front of an MCP server.
 *
 * @param server - its name in the settings
 * @param rules - the rule file of the hooks: what it decides for an agent it decides for its servers
 */
export function ownGuard(
  server: string,
  { folder, rules }: { readonly folder: string; readonly rules: string | undefined },
): readonly string[] {
  return [
    process.execPath,
    fileURLToPath(new URL('bin/proffer.js', PACKAGE_FOLDER)),
    'guard',
    '--name',
    guardName(server),
    // In one word: a server may have any name.
    `--known-as=${server}`,
    ...(isDefaultFolder(folder) ? [] : ['--data', folder]),
    ...(rules === undefined ? [] : ['--rules', rules]),
    '--',
  ];
}

/** Programs do not pass on the environment of the shell in which they were connected. */
function isDefaultFolder(folder: string): boolean {
  return folder === guardsFolder({});
}

/** Short names that people type. */
const ALIASES: ReadonlyMap<string, string> = new Map([
  ['claude', 'claude-code'],
  ['codex-cli', 'codex'],
  ['gemini', 'gemini-cli'],
  ['copilot', 'copilot-cli'],
  ['vs-code', 'vscode'],
  ['code', 'vscode'],
]);

/** The name of a program that somebody typed, if they typed a usual short one. */
export function agentAlias(name: string): string {
  return ALIASES.get(name) ?? name;
}

/**
 * The agent with this name.
 *
 * @throws CommandFailure for one without hooks here
 */
export function agentNamed(name: string, usage: string): HookAgent {
  const agent = findAgent(agentAlias(name));
  if (agent !== undefined) return agent;
  const meant = nearest(name, AGENT_IDS);
  throw usageFailure(
    `There is no hook for ${JSON.stringify(name)}. The agents are ${AGENT_IDS.join(', ')}.`,
    meant === undefined ? [] : [`${usage} ${meant}`],
  );
}
