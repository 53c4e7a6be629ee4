import { isJsonObject } from '@proffer/core';
import {
  backtest,
  type CallFacts,
  explainByRules,
  formatSuggestions,
  type PastProposal,
  suggestRules,
} from '@proffer/steward';
import { type Command, InvalidArgumentError, Option } from 'commander';
import { parseObject } from '../arguments.js';
import { CommandFailure, usageFailure } from '../command-failure.js';
import { noSuchProposal } from '../connection/find-proposal.js';
import { count } from '../display/count.js';
import { describeRuledCall, namesOnly } from '../display/ruled-calls.js';
import { EXIT, type ExitCode } from '../exit-code.js';
import { type HistoryOptions, readHistory, withHistory } from '../rules/history.js';
import { loadRules } from '../rules/load-rules.js';
import { printBacktest } from '../rules/print-backtest.js';
import { printExplanation } from '../rules/print-explanation.js';
import { type DecisionNumber, recordedCalls } from '../rules/recorded-calls.js';
import type { Shell } from '../terminal/shell.js';
import { visible } from '../terminal/visible.js';

interface ExplainOptions extends HistoryOptions {
  readonly tool?: string;
  readonly args?: string;
  readonly participant?: string;
  readonly server?: string;
  readonly annotations?: string;
  readonly time?: number;
  readonly proposal?: string;
  readonly seq?: DecisionNumber;
}

/** `proffer rules`: check, explain, test and suggest the rules that a steward or a guard decides by. */
export function addRules(program: Command, shell: Shell, done: (code: ExitCode) => void): void {
  const rules = program.command('rules').description('Check, explain, test and suggest rules');

  rules
    .command('check')
    .argument('<file>', 'the rules')
    .description('Say whether a file of rules is right, and everything that is wrong with it')
    .option('--json', 'answer in JSON')
    .action(async (file: string, { json }: { readonly json?: boolean }) => {
      const { version, rules: all, otherwise } = await loadRules(file);
      const facts = { file, version, rules: all.length, default: otherwise.action };
      const { style } = shell;
      shell.print(
        json === true
          ? JSON.stringify(facts)
          : `${style.green('✓')} ${visible(file)}: ${count(all.length, 'rule')}, then ${otherwise.action}; version ${version}.`,
      );
      done(EXIT.done);
    });

  withHistory(
    rules
      .command('explain')
      .argument('<file>', 'the rules')
      .description('Say what rules decide about a call, and why each rule matches or not')
      .option('--tool <name>', 'the tool that is called')
      .option('--args <json>', 'its arguments, a JSON object')
      .option('--participant <name>', 'who wants it (default agent)')
      .option('--server <name>', 'who would run it')
      .option('--annotations <json>', 'what the server says about the tool, such as {"readOnlyHint":true}')
      .option('--time <moment>', 'when, such as 2026-11-16T09:00:00Z (default now)', momentOption)
      .option('--proposal <id>', 'a proposal of the past, or the beginning of its id, instead of --tool')
      .option(
        '--seq <seq>',
        'what a guard decided by rules, by its number in the log, such as 38 or 38.2, instead of --tool',
        decisionOption,
      ),
  ).action(async (file: string, options: ExplainOptions) => {
    if (options.seq !== undefined) {
      await explainRecorded(file, { ...options, seq: options.seq }, shell);
      return done(EXIT.done);
    }
    const explanation = explainByRules(await loadRules(file), await factsFor(options, shell));
    if (options.json === true) shell.print(JSON.stringify(explanation));
    else printExplanation(explanation, shell);
    done(EXIT.done);
  });

  withHistory(
    rules
      .command('test')
      .argument('<file>', 'the rules')
      .description('Say what rules would have decided otherwise than it was decided; ends with 1 if anything')
      .addOption(
        new Option('--against <what>', 'what to compare with').choices(['history']).default('history'),
      ),
  ).action(async (file: string, options: HistoryOptions) => {
    const loaded = await loadRules(file);
    const tested = backtest(loaded, await readHistory(options, shell));
    if (options.json === true) {
      const different = tested.cases.filter(({ comparison }) => comparison === 'different');
      shell.print(JSON.stringify({ version: tested.version, counts: tested.counts, different }));
    } else printBacktest(tested, shell);
    done(tested.counts.different === 0 ? EXIT.done : EXIT.refused);
  });

  withHistory(
    rules
      .command('suggest')
      .description('Print the narrowest rules that reproduce what people decided again and again')
      .option('--min <count>', 'how many decisions it takes', countOption, 3),
  ).action(async (options: HistoryOptions & { readonly min: number }) => {
    const past = await readHistory(options, shell);
    const suggestions = suggestRules(past, options);
    if (suggestions.length === 0) shell.tell(whyNothing(past, options.min));
    if (options.json === true) shell.print(JSON.stringify({ suggestions }));
    else shell.print(formatSuggestions(suggestions).trimEnd());
    done(EXIT.done);
  });
}

function whyNothing(past: readonly PastProposal[], min: number): string {
  const decided = past.filter((proposal) => proposal.decided?.automatic === false).length;
  return `Nothing is suggested: of ${count(past.length, 'proposal')} people decided ${decided}, and no calls that are alike were decided the same way ${min} times without a decision against it.`;
}

/** What rules say about each call that a guard decided about then; the file may be another now. */
async function explainRecorded(
  file: string,
  options: ExplainOptions & { readonly seq: DecisionNumber },
  shell: Shell,
): Promise<void> {
  if (options.tool !== undefined || options.proposal !== undefined) {
    throw usageFailure('Say which call: either --tool, or --proposal, or --seq.');
  }
  const rules = await loadRules(file);
  const given = options.args === undefined ? undefined : parseObject(options.args, '--args');
  for (const { number, from, call, facts } of await recordedCalls(options.seq, options, shell)) {
    const names = namesOnly(call) ?? [];
    if (given === undefined && names.length > 0) {
      shell.tell(
        `Of ${visible(number)}, which was allowed, only the names of the arguments are recorded. What rules say about their values is said as if there were none; --args gives them.`,
      );
    }
    const explanation = explainByRules(rules, given === undefined ? facts : { ...facts, arguments: given });
    if (options.json === true) {
      shell.print(JSON.stringify({ seq: number, recorded: call, ...explanation }));
      continue;
    }
    const { who, what, detail } = describeRuledCall(from, call, shell.style);
    shell.print(`${shell.style.dim(number)} ${who} ${what} ${detail}`);
    printExplanation(explanation, shell);
    shell.print('');
  }
}

async function factsFor(options: ExplainOptions, shell: Shell): Promise<CallFacts> {
  const { tool, proposal, server } = options;
  if ((tool === undefined) === (proposal === undefined)) {
    throw usageFailure('Say which call: either --tool or --proposal, or --seq.', [
      `${shell.name} rules explain FILE --tool write_file --args '{"path":"/tmp/a"}'`,
      `${shell.name} rules explain FILE --proposal ID`,
    ]);
  }
  if (proposal !== undefined) {
    const past = await readHistory(options, shell);
    const exact = past.find(({ id }) => id === proposal);
    if (exact !== undefined) return exact.call;
    const found = past.filter(({ id }) => id.startsWith(proposal));
    const [only] = found;
    if (found.length > 1)
      throw noSuchProposal(
        proposal,
        found.map(({ id }) => id),
        [],
      );
    if (only !== undefined) return only.call;
    const message = `There is no proposal ${JSON.stringify(proposal)} in the history that rules can say anything about.`;
    throw new CommandFailure({
      exit: EXIT.refused,
      code: 'unknown_proposal',
      message,
      details: { proposal },
    });
  }
  const annotations = options.annotations && parseObject(options.annotations, '--annotations');
  return {
    participant: options.participant ?? 'agent',
    tool: tool ?? '',
    arguments: options.args === undefined ? {} : parseObject(options.args, '--args'),
    ...(server === undefined ? {} : { server }),
    ...(isJsonObject(annotations) ? { annotations } : {}),
    time: options.time ?? shell.now(),
  };
}

function momentOption(text: string): number {
  const time = Date.parse(text);
  if (Number.isNaN(time)) throw new InvalidArgumentError('Write a moment: 2026-11-16T09:00:00Z.');
  return time;
}

/** A `seq`, or one of several decisions that share it: `38.2`. */
function decisionOption(text: string): DecisionNumber {
  const [, seq, place] = /^(\d{1,15})(?:\.([1-9]\d{0,5}))?$/.exec(text) ?? [];
  if (seq === undefined)
    throw new InvalidArgumentError('Write a number as it stands in the log: 38 or 38.2.');
  return { seq: Number(seq), ...(place === undefined ? {} : { place: Number(place) }) };
}

function countOption(text: string): number {
  if (!/^[1-9]\d{0,5}$/.test(text)) throw new InvalidArgumentError('Write a whole number from 1.');
  return Number(text);
}
