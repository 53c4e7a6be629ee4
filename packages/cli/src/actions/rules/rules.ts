import { printableJson } from '@proffer/core/text';
import { count } from '@proffer/core/words';
import {
  type Backtest,
  type BacktestCase,
  backtest,
  closestToRule,
  formatSuggestions,
  type PastProposal,
  suggestRules,
} from '@proffer/steward/history';
import { EXIT, type ExitCode } from '../../command-failure.js';
import type { HistoryOptions } from '../../command-options.js';
import { shortIds } from '../../display/short-ids.js';
import { historyName, readHistory } from '../../rules/history.js';
import { loadRules } from '../../rules/load-rules.js';
import { printJson, type Shell } from '../../terminal/shell.js';
import { formatTable, tableWidth } from '../../terminal/table.js';
import { formatMoment, visible, visibleArguments } from '../../terminal/visible.js';

/** Command-line options of `rules suggest`. */
export interface SuggestFlags extends HistoryOptions {
  readonly min: number;
}

/** Prints whether a rules file is valid; fails with everything that is wrong with it. */
export async function checkRules(file: string, asJson: boolean, shell: Shell): Promise<void> {
  const { version, rules: all, otherwise } = await loadRules(file);
  const facts = { file, version, rules: all.length, default: otherwise.action };
  const { style } = shell;
  shell.print(
    asJson
      ? printableJson(facts)
      : `${style.green('✓')} ${visible(file)}: ${count(all.length, 'rule')}, then ${otherwise.action}; version ${version}.`,
  );
}

/** Prints what the rules would have decided differently; exits with 1 if anything. */
export async function testRules(file: string, options: HistoryOptions, shell: Shell): Promise<ExitCode> {
  const loaded = await loadRules(file);
  const tested = backtest(loaded, await readHistory(options, shell));
  const history = await historyName(options, shell);
  if (options.json === true) {
    const different = tested.cases.filter(({ comparison }) => comparison === 'different');
    printJson({ version: tested.version, history, counts: tested.counts, different }, shell);
  } else printBacktest(tested, history, shell);
  return tested.counts.different === 0 ? EXIT.done : EXIT.refused;
}

/** Prints the narrowest rules that reproduce recurring decisions. */
export async function suggest(options: SuggestFlags, shell: Shell): Promise<void> {
  const past = await readHistory(options, shell);
  const found = suggestRules(past, options);
  if (found.suggestions.length === 0) shell.tell(...explainEmpty(past, options.min));
  if (options.json === true) printJson(found, shell);
  else shell.print(formatSuggestions(found).trimEnd());
}

function explainEmpty(past: readonly PastProposal[], min: number): readonly string[] {
  const decided = past.filter((proposal) => proposal.decided?.automatic === false).length;
  const why = `No suggestions: people decided ${decided} of ${count(past.length, 'proposal')}, and no group of similar calls was decided the same way ${min} times with no decision to the contrary.`;
  const closest = closestToRule(past);
  if (closest === undefined) return [why];
  const { decision, server, tool, alike, equal } = closest;
  const name = visible(server === undefined ? tool : `${server}/${tool}`);
  const verb = decision === 'allow' ? 'allowed' : 'denied';
  const same = alike === equal ? 'each with the same arguments' : `${equal} of them with the same arguments`;
  return [why, `The closest: ${name} was ${verb} ${count(alike, 'time')}${alike === 1 ? '' : `, ${same}`}.`];
}

/**
 * Prints the counts, and everything that would have been decided differently.
 *
 * @param history - where the proposals are from
 */
function printBacktest({ version, counts, cases }: Backtest, history: string, shell: Shell): void {
  const { style } = shell;
  const different = cases.filter(({ comparison }) => comparison === 'different');
  shell.print(
    `${count(cases.length, 'proposal')} from the history of ${visible(history)}, rules ${visible(version)}:`,
    `  ${String(counts.same).padStart(6)}  decided the same`,
    `  ${paintDifferent(counts.different, shell)}  decided differently`,
    `  ${String(counts.newly_automatic).padStart(6)}  newly automatic: nobody decided these`,
    `  ${String(counts.asked).padStart(6)}  would have been asked`,
  );
  if (different.length === 0) return;
  const columns = [
    { title: 'ID', paint: style.bold },
    { title: 'PROPOSED' },
    { title: 'FROM' },
    { title: 'TOOL', paint: style.cyan },
    { title: 'ARGUMENTS', flexible: true },
    { title: 'DECIDED' },
    { title: 'RULES', paint: style.red },
  ];
  const short = shortIds(cases.map(({ proposal }) => proposal.id));
  const rows = different.map((one) => rowOf(one, short, shell.now()));
  shell.print('', formatTable(columns, rows, { width: tableWidth(shell), style }));
}

const PAST = { allow: 'allowed', deny: 'denied', amend: 'changed' } as const;

function rowOf(
  { proposal: { id, call, decided }, byRules }: BacktestCase,
  short: (id: string) => string,
  now: number,
): readonly string[] {
  const line = byRules.rule === undefined ? 'default' : `line ${byRules.rule.line}`;
  return [
    visible(short(id)),
    formatMoment(call.time, now),
    visible(call.participant),
    visible(call.tool),
    visibleArguments(call.arguments),
    decided === undefined ? '' : `${PAST[decided.decision]} by ${visible(decided.by)}`,
    `${byRules.action} (${line})`,
  ];
}

function paintDifferent(different: number, { style }: Shell): string {
  const text = String(different).padStart(6);
  return different === 0 ? text : style.red(text);
}
