import { printableJson } from '@proffer/core/text';
import { count } from '@proffer/core/words';
import {
  backtest,
  closestToRule,
  formatSuggestions,
  type PastProposal,
  suggestRules,
} from '@proffer/steward/history';
import { EXIT, type ExitCode } from '../../exit-code.js';
import { historyName, readHistory } from '../../rules/history.js';
import type { HistoryOptions } from '../../rules/history-options.js';
import { loadRules } from '../../rules/load-rules.js';
import { printBacktest } from '../../rules/print-backtest.js';
import { printJson } from '../../terminal/print-json.js';
import type { Shell } from '../../terminal/shell.js';
import { visible } from '../../terminal/visible.js';

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
  const why = `Nothing is suggested: of ${count(past.length, 'proposal')} people decided ${decided}, and no calls that are alike were decided the same way ${min} times without a decision against it.`;
  const closest = closestToRule(past);
  if (closest === undefined) return [why];
  const { decision, server, tool, alike, equal } = closest;
  const name = visible(server === undefined ? tool : `${server}/${tool}`);
  const verb = decision === 'allow' ? 'allowed' : 'denied';
  const same = alike === equal ? 'each with the same arguments' : `${equal} of them with the same arguments`;
  return [why, `The closest: ${name} was ${verb} ${count(alike, 'time')}${alike === 1 ? '' : `, ${same}`}.`];
}
