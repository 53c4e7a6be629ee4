import type { Command } from 'commander';
import { EXIT_CODES } from './command-failure.js';
import type { Shell } from './terminal/shell.js';

/** What people use every day: all that `--help` lists. */
const DAILY = {
  'Put approval in front of agents:': ['connect', 'status', 'disconnect'],
  'Decide:': ['inbox', 'show', 'approve', 'reject'],
  'Ask, as an agent does:': ['propose'],
  'Run and check:': ['up', 'doctor'],
} as const;

/** The others, which `--help --all` lists as well. */
const OTHERS = {
  'One agent or server:': ['guard', 'hook'],
  'Decide together:': ['counter', 'accept', 'withdraw', 'delegate', 'pause', 'resume', 'renew', 'policy'],
  'Ask less:': ['watch', 'grant', 'revoke', 'steward', 'rules'],
  'Negotiate:': ['negotiate'],
  'Look back:': ['log', 'replay', 'evidence', 'verify', 'checkpoint', 'witness', 'repair', 'copy', 'compact'],
  'Set up:': ['init', 'token', 'key', 'login', 'logout', 'devices', 'keys', 'notify', 'bridge', 'completion'],
} as const;

/** Every command that people type, by the heading it has in the help. */
export const HELP_GROUPS: Readonly<Record<string, readonly string[]>> = { ...DAILY, ...OTHERS };

/**
 * Sets up the general help: how to begin, and the commands of every day in groups; all of them with `all`.
 *
 * @param all - also what typing mistakes are compared with
 */
export function addHelp(
  program: Command,
  { all, shell }: { readonly all: boolean; readonly shell: Shell },
): void {
  const groups = Object.entries(all ? HELP_GROUPS : DAILY);
  const listed = groups.flatMap(([heading, names]) =>
    names.flatMap((name) => {
      const command = program.commands.find((one) => one.name() === name);
      return command === undefined ? [] : [command.helpGroup(heading)];
    }),
  );
  program
    .helpCommand(false)
    .configureHelp({ visibleCommands: () => listed })
    .addHelpText(
      'after',
      `
Getting started:
  ${shell.name} connect                          your agents ask Proffer from now on
  ${shell.name} inbox --guard --open             you decide

Or, without an agent:
  ${shell.name} up --dev                         start a gateway to try things out
  ${shell.name} propose echo --arg text=hello    an agent proposes a call
  ${shell.name} inbox --watch                    you decide

${all ? EXIT_CODES : `${shell.name} --help --all lists every command and the exit codes.`}`,
    );
}

/** Whether a command line asks for the short general help. */
export function asksForShortHelp(line: readonly string[]): boolean {
  return line.length === 0 || (line.length === 1 && ['help', '--help', '-h'].includes(line[0] ?? ''));
}
