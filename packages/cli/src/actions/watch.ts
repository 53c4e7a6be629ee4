import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { startWatching, stopWatching, watchingSince } from '@proffer/client/machine';
import { defined } from '@proffer/core/json';
import { count, describeWatched } from '@proffer/core/words';
import { readHookSettings } from '@proffer/hook';
import { EVERY_SPACE, makeFolder } from '@proffer/journal';
import { formatYaml } from '@proffer/reading';
import { defaultHookRulesText } from '@proffer/steward/guard';
import {
  type AnsweringRule,
  type HistoryEntry,
  summarizeWatched,
  type WatchSummary,
} from '@proffer/steward/history';
import { EXIT, type ExitCode, usageFailure } from '../command-failure.js';
import { guardsFolder } from '../connection/guards-folder.js';
import { journalPlace } from '../journal/place.js';
import { readJournal } from '../journal/read-journal.js';
import { loadRules, machineRules, machineRulesFile } from '../rules/load-rules.js';
import { confirm } from '../terminal/confirm.js';
import { printJson, type Shell } from '../terminal/shell.js';
import { visible } from '../terminal/visible.js';
import { appendRules } from './rules/add-rules.js';

/** Command-line options of `watch`. */
export interface WatchFlags {
  readonly begin?: boolean;
  readonly end?: boolean;
  /** False with `--no-rules`. */
  readonly rules: boolean;
  readonly json?: boolean;
  readonly yes?: boolean;
  readonly data?: string;
}

/** Begins to watch, ends it, or says what was seen. */
export async function watch(options: WatchFlags, shell: Shell): Promise<ExitCode> {
  const folder = resolve(options.data ?? guardsFolder(shell.env));
  if (options.begin === true && options.end === true)
    throw usageFailure('--begin and --end cannot be used together.');
  if (options.begin === true) begin(folder, shell);
  else if (options.end === true) return await end(folder, options, shell);
  else await show(folder, options, shell);
  return EXIT.done;
}

/** What was watched on this machine since watching began, or if it has ended, at all; `undefined` if nothing was. */
export async function readWatched(folder: string, shell: Shell): Promise<WatchSummary | undefined> {
  const path = join(folder, 'journal');
  if (!existsSync(path)) return undefined;
  const { value } = await readJournal(await journalPlace({ data: path }, shell), async (journal) => {
    const entries: HistoryEntry[] = [];
    for await (const record of journal.feed(EVERY_SPACE, 0, { follow: false }))
      if (record.stream.includes('/participant/')) entries.push(record as unknown as HistoryEntry);
    return entries;
  });
  const since = watchingSince(folder);
  return summarizeWatched(value, defined({ since }));
}

/** In a few lines: whether Proffer only watches here, what it saw, and how to go on. Nothing if it asks. */
export async function describeWatching(folder: string, shell: Shell): Promise<readonly string[]> {
  const since = watchingSince(folder);
  if (since === undefined) return [];
  const summary = await readWatched(folder, shell);
  const { name, style } = shell;
  const told = summary === undefined ? 'Nothing yet.' : describeWatched({ ...summary, since }, shell.now());
  return [
    `${style.yellow('Watching only')} since ${new Date(since).toISOString().slice(0, 10)}: nobody is asked, and nothing is held or denied.`,
    `  ${told}`,
    style.dim(`  to see the rules:   ${name} watch`),
    style.dim(`  to ask with them:   ${name} watch --end`),
  ];
}

/** From now on everything on this machine only watches; false if it already does. */
export function beginWatching(folder: string, { now }: Pick<Shell, 'now'>): boolean {
  if (watchingSince(folder) !== undefined) return false;
  makeFolder(folder);
  startWatching(folder, now());
  return true;
}

function begin(folder: string, shell: Shell): void {
  const { name, style } = shell;
  if (!beginWatching(folder, shell)) return shell.print('Proffer is already in watch mode here.');
  shell.print(
    `${style.green('✓')} Proffer only watches now. Nobody is asked, and nothing is held or denied, not even what rules or protections would deny.`,
    style.dim(`  to see what it saw:  ${name} watch`),
    style.dim(`  to be asked again:   ${name} watch --end`),
  );
}

async function show(folder: string, { json }: WatchFlags, shell: Shell): Promise<void> {
  const since = watchingSince(folder);
  const summary = await readWatched(folder, shell);
  if (json === true) {
    const { suggested = [], ...counts } = summary ?? {};
    const rules = suggested.map(({ rule, calls }) => ({ rule, answers: calls.size }));
    return printJson(
      { watching: since !== undefined, ...(summary === undefined ? {} : { ...counts, suggested: rules }) },
      shell,
    );
  }
  const { name } = shell;
  if (since === undefined && summary === undefined)
    return shell.print(
      `Proffer is not in watch mode here: people are asked. To watch first:  ${name} watch --begin`,
    );
  if (since === undefined) shell.print('Proffer does not watch any more: people are asked. Earlier:');
  else shell.print(...(await describeWatching(folder, shell)).slice(0, 1));
  if (summary === undefined) return shell.print('Nothing has been seen yet.');
  shell.print(
    since === undefined
      ? describeWatched(summary, summary.until)
      : describeWatched({ ...summary, since }, shell.now()),
  );
  printRules(summary.suggested, shell);
  if (since !== undefined)
    shell.print('', shell.style.dim(`  to ask with these rules:  ${name} watch --end`));
}

function printRules(suggested: readonly AnsweringRule[], shell: Shell): void {
  if (suggested.length === 0) return;
  shell.print('');
  for (const { rule, calls } of suggested)
    shell.print(visible(`  ${String(calls.size).padStart(4)}  ${rule.name.replace(/^watched: /, '')}`));
}

async function end(folder: string, options: WatchFlags, shell: Shell): Promise<ExitCode> {
  const { style, name } = shell;
  const summary = await readWatched(folder, shell);
  const file = readHookSettings(folder).rules ?? machineRulesFile(folder);
  const added = options.rules ? await missingIn(file, summary?.suggested ?? []) : [];
  if (added.length > 0) {
    const draft = formatYaml({ rules: added.map(({ rule }) => rule) });
    shell.print(
      style.bold(`Rules to add to ${visible(file)}`),
      ...draft
        .trimEnd()
        .split('\n')
        .map((line) => style.green(visible(`+ ${line}`))),
      '',
    );
    const isTerminal = shell.stdin.isTTY === true && shell.stdout.isTTY === true;
    const question = 'Add these rules, and ask people from now on?';
    if (options.yes !== true && isTerminal && !(await confirm(question, shell, shell.interruption()))) {
      shell.print(
        'Nothing was changed.',
        style.dim(`  to ask without the rules:  ${name} watch --end --no-rules`),
      );
      return EXIT.refused;
    }
    makeFolder(folder);
    await appendRules(file, draft, { shell, empty: defaultHookRulesText() });
  }
  const wasWatching = watchingSince(folder) !== undefined;
  stopWatching(folder);
  shell.print(
    `${style.green('✓')} ${wasWatching ? 'People are asked from now on' : 'Proffer was not watching: people are asked'}${added.length === 0 ? '' : `, except about what ${count(added.length, 'new rule')} ${added.length === 1 ? 'allows' : 'allow'}`}.`,
    ...(added.length > 0 && machineRules(folder) === file
      ? [style.dim('  Running guards use a new rule file only after a restart; hooks use it at once.')]
      : []),
    style.dim(`  to decide:    ${name} inbox --guard --open`),
  );
  return EXIT.done;
}

/** The suggested rules that a file does not have yet. */
async function missingIn(
  file: string,
  suggested: readonly AnsweringRule[],
): Promise<readonly AnsweringRule[]> {
  if (suggested.length === 0 || !existsSync(file)) return suggested;
  const { rules } = await loadRules(file);
  const names = new Set(rules.map((rule) => rule.name));
  return suggested.filter(({ rule }) => !names.has(rule.name));
}
