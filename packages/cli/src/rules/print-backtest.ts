import { count } from '@proffer/core/words';
import type { Backtest, BacktestCase } from '@proffer/steward/history';
import { shortIds } from '../display/short-ids.js';
import type { Shell } from '../terminal/shell.js';
import { formatTable, tableWidth } from '../terminal/table.js';
import { formatMoment } from '../terminal/time.js';
import { visible, visibleArguments } from '../terminal/visible.js';

/**
 * Prints the counts, and everything that would have been decided differently.
 *
 * @param history - where the proposals are from
 */
export function printBacktest({ version, counts, cases }: Backtest, history: string, shell: Shell): void {
  const { style } = shell;
  const different = cases.filter(({ comparison }) => comparison === 'different');
  shell.print(
    `${count(cases.length, 'proposal')} from the history of ${visible(history)}, rules ${visible(version)}:`,
    `  ${String(counts.same).padStart(6)}  decided the same`,
    `  ${paintDifferent(counts.different, shell)}  decided differently`,
    `  ${String(counts.newly_automatic).padStart(6)}  newly automatic: nobody had decided`,
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
