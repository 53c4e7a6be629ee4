import { watchingSince } from '@proffer/client/machine';
import { AGENTS, readHookSettings } from '@proffer/hook';
import {
  ChangedMeanwhileError,
  DISK,
  type FileChange,
  type FoundItem,
  type FoundProgram,
  type Ledger,
  makeFileChange,
  PROGRAMS,
  planConnect,
} from '@proffer/hook/connect';
import { CommandFailure, EXIT, type ExitCode, usageFailure } from '../../command-failure.js';
import { AGENT_NOTES, inboxCommand, showChange } from '../../hook/next-steps.js';
import { ownEntries, ownGuard } from '../../hook/own-entries.js';
import { confirm } from '../../terminal/confirm.js';
import type { Shell } from '../../terminal/shell.js';
import { visible } from '../../terminal/visible.js';
import { beginWatching, describeWatching } from '../watch.js';
import { chosenByName, chosenByNumber, isNamed } from './choose-items.js';
import {
  type Connections,
  itemName,
  itemsOf,
  openConnections,
  showCoverage,
  whileAlone,
} from './connections.js';

/** Command-line options of `connect` and `disconnect`. */
export interface ConnectCommandOptions {
  readonly all?: boolean;
  /** Whether to ask nobody for now (O-50). */
  readonly watch?: boolean;
  readonly only?: string;
  readonly dryRun?: boolean;
  readonly yes?: boolean;
  readonly data?: string;
}

/** Finds the programs that run agents, shows what would change, and makes them ask Proffer. */
export async function connectPrograms(options: ConnectCommandOptions, shell: Shell): Promise<ExitCode> {
  if (options.all === true && options.only !== undefined)
    throw usageFailure('--all and --only cannot be used together.');
  if (options.dryRun === true) return await connectNow(openConnections(options, shell), options, shell);
  const { folder, programs } = openConnections(options, shell);
  if (programs.length === 0) return foundNothing(shell);
  return await whileAlone(folder, () => connectNow(openConnections(options, shell), options, shell));
}

async function connectNow(
  { folder, ledger, programs }: Connections,
  options: ConnectCommandOptions,
  shell: Shell,
): Promise<ExitCode> {
  if (programs.length === 0) return foundNothing(shell);
  const open = itemsOf(programs).filter(({ coverage }) => coverage.type === 'open');
  const isTerminal = shell.stdin.isTTY === true && shell.stdout.isTTY === true;
  const isAsked = options.all !== true && options.only === undefined && options.dryRun !== true && isTerminal;
  const named = options.only === undefined ? open : chosenByName(options.only, programs, open);
  showCoverage(programs, shell, isAsked ? open : []);
  if (named.length === 0) {
    if (options.watch === true && options.dryRun !== true) beginWatching(folder, shell);
    shell.print(...(await describeWatching(folder, shell)));
    shell.print(...nothingToConnect(programs, options, shell));
    return EXIT.done;
  }
  if (!isAsked && options.all !== true && options.only === undefined && options.dryRun !== true)
    throw usageFailure('Nothing was changed. Without a terminal, say what to connect.', [
      `${shell.name} connect --all`,
      `${shell.name} connect --only ${named[0]?.program ?? 'claude-code'}`,
      `${shell.name} connect --dry-run   # shows what would change`,
    ]);
  const chosen = isAsked ? await chosenByNumber(named, shell) : named;
  if (chosen.length === 0) return nothingChanged(shell);
  const { rules } = readHookSettings(folder);
  const changes = planConnect(chosen, {
    ledger,
    entriesFor: (agent) => ownEntries(AGENTS[agent], { folder }),
    guardFor: (server) => ownGuard(server, { folder, rules }),
    now: shell.now(),
  });
  for (const change of changes) showChange(change, shell);
  if (options.dryRun === true) {
    const isWatching = options.watch === true || watchingSince(folder) !== undefined;
    const watched = isWatching
      ? ' Proffer would only watch: it would ask nobody, and would hold or deny nothing.'
      : '';
    shell.print(`This would change ${countFiles(changes.length)}.${watched} Nothing was changed.`);
    return EXIT.done;
  }
  const isAgreed =
    options.yes === true ||
    !isTerminal ||
    (await confirm(
      `Change ${changes.length === 1 ? 'this file' : `these ${changes.length} files`}?`,
      shell,
      shell.interruption(),
    ));
  if (!isAgreed) return nothingChanged(shell);
  // Before the first agent could ask.
  if (options.watch === true) beginWatching(folder, shell);
  const failures = makeChanges(changes, ledger);
  const done = chosen.filter(({ path }) => !failures.has(path));
  if (done.length > 0) shell.print(...afterConnect(done, ledger, folder, shell));
  reportFailures(failures, `${shell.name} connect`);
  return EXIT.done;
}

/** Why there is nothing to connect: what was named is connected already, or it cannot be connected by itself. */
function nothingToConnect(
  programs: readonly FoundProgram[],
  { only }: ConnectCommandOptions,
  { name, style }: Shell,
): readonly string[] {
  const items = itemsOf(programs).filter((item) => only === undefined || isNamed(only, item));
  const uncovered = items.flatMap(({ coverage, ...item }) =>
    coverage.type === 'uncovered' ? [visible(`${itemName(item)} is not covered: ${coverage.why}.`)] : [],
  );
  const isAnyCovered = items.some(({ coverage }) => coverage.type === 'covered');
  const what = only === undefined ? 'Everything' : 'Everything named with --only';
  return [
    ...(isAnyCovered
      ? [`${what} that can be connected is already connected.`]
      : ['None of these can be connected.']),
    ...(only === undefined ? [] : uncovered),
    ...(isAnyCovered ? [style.dim(`  to undo it:   ${name} disconnect`)] : []),
  ];
}

function foundNothing(shell: Shell): ExitCode {
  const labels = Object.values(PROGRAMS).map(({ label }) => label);
  shell.print(
    `None of these programs has settings in your home folder: ${labels.join(', ')}.`,
    shell.style.dim(
      `  for another MCP client, put this before the command of a server:  ${shell.name} guard --`,
    ),
  );
  return EXIT.done;
}

function nothingChanged({ print }: Shell): ExitCode {
  print('Nothing was changed.');
  return EXIT.refused;
}

/** Makes changes one after the other; what fails is left alone, and named. */
export function makeChanges(changes: readonly FileChange[], ledger: Ledger): ReadonlyMap<string, string> {
  const failures = new Map<string, string>();
  let known = ledger;
  for (const change of changes) {
    try {
      known = makeFileChange(change, known, DISK);
    } catch (error) {
      const isExpected =
        error instanceof ChangedMeanwhileError || (error instanceof Error && 'code' in error);
      if (!isExpected) throw error;
      failures.set(change.path, error.message);
    }
  }
  return failures;
}

/** @throws CommandFailure if there are any */
export function reportFailures(failures: ReadonlyMap<string, string>, command: string): void {
  if (failures.size === 0) return;
  const lines = [...failures].map(([path, why]) => `${path}: ${why}`);
  throw new CommandFailure({
    exit: EXIT.refused,
    code: 'settings_not_changed',
    message: [
      `${countFiles(failures.size)} could not be changed and ${failures.size === 1 ? 'is' : 'are'} as before:`,
      ...lines,
    ].join('\n'),
    next: [`${command}   # tries again; keeps what is already done`],
  });
}

export function countFiles(count: number): string {
  return count === 1 ? '1 file' : `${count} files`;
}

function afterConnect(
  done: readonly FoundItem[],
  { folder: kept }: Ledger,
  folder: string,
  shell: Shell,
): readonly string[] {
  const { name, style } = shell;
  const ids = [...new Set(done.map(({ program }) => program))];
  const { rules, agentLists } = readHookSettings(folder);
  const hasHook = done.some(({ kind }) => kind === 'hook');
  const what = hasHook
    ? 'before an agent runs a command, edits a file or calls an MCP tool'
    : 'before one of these MCP servers runs a tool';
  const own = hasHook && agentLists !== false ? " and what the agents' own settings allow" : '';
  const unless = hasHook && rules !== undefined ? `what ${visible(rules)} decides` : 'what only reads';
  const asked =
    watchingSince(folder) === undefined
      ? `From now on Proffer asks you ${what}, except for ${unless}${own}.`
      : `Proffer only watches: it records what it would ask you ${what}, but asks nobody and holds or denies nothing.`;
  const notes = done.flatMap(({ kind, program }) => {
    const { agent } = PROGRAMS[program];
    return kind === 'hook' && agent !== undefined ? AGENT_NOTES[agent] : [];
  });
  return [
    `Connected: ${ids.map((id) => PROGRAMS[id].label).join(', ')}. Restart ${ids.length === 1 ? 'it if it is' : 'them if they are'} running.`,
    asked,
    ...notes,
    `The previous files are in ${visible(kept)}`,
    '',
    ...(watchingSince(folder) === undefined
      ? [style.dim(`  to decide:    ${inboxCommand(shell)}`)]
      : [style.dim(`  to be asked:  ${name} watch --end`)]),
    style.dim(`  to check:     ${name} status`),
    style.dim(`  to undo it:   ${name} disconnect`),
  ];
}
