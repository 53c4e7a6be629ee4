import {
  type CallFacts,
  type ComparedCondition,
  describeRule,
  explainByRules,
  type RuleAction,
  type RuleExplanation,
  type RuleSet,
} from '@proffer/steward';
import { parseObject } from '../../arguments.js';
import { CommandFailure, EXIT, usageFailure } from '../../command-failure.js';
import type { HistoryOptions } from '../../command-options.js';
import { describeRuledCall, namesOnly } from '../../display/ruled-calls.js';
import { noSuchProposal } from '../../proposals/find-proposal.js';
import { looksLikeGuards } from '../../proposals/proposal-view.js';
import { callInJson, type DescribedCall, describedCall } from '../../rules/described-call.js';
import { historyPlace, readHistory } from '../../rules/history.js';
import { loadRules } from '../../rules/load-rules.js';
import { type DecisionNumber, recordedCalls } from '../../rules/recorded-calls.js';
import { printJson, type Shell, type Style } from '../../terminal/shell.js';
import { visible } from '../../terminal/visible.js';

/** Command-line options of `rules explain`. */
export interface ExplainOptions extends HistoryOptions, DescribedCall {
  readonly proposal?: string;
  readonly seq?: DecisionNumber;
}

/** Which rules, and which call, if it is not in the options. */
export interface Explained {
  readonly file: string;
  /** JSON, the id of a proposal, or the name of a tool. */
  readonly call?: string;
}

/** Prints which rule decides about a call and why, and why those before it do not. */
export async function explainRules(
  { file, call }: Explained,
  options: ExplainOptions,
  shell: Shell,
): Promise<void> {
  if (options.seq !== undefined) {
    if (call !== undefined) throw usageFailure('CALL and --seq both select the call; use only one of them.');
    await explainRecorded(file, { ...options, seq: options.seq }, shell);
    return;
  }
  const explanation = explainByRules(await loadRules(file), await factsFor(call, options, shell));
  if (options.json === true) printJson(explanation, shell);
  else printExplanation(explanation, shell);
}

/** What the rules say now about each call that a guard decided then; the file may have changed. */
async function explainRecorded(
  file: string,
  options: ExplainOptions & { readonly seq: DecisionNumber },
  shell: Shell,
): Promise<void> {
  if (options.tool !== undefined || options.proposal !== undefined) {
    throw usageFailure('Select a call with --tool, --proposal or --seq.');
  }
  const rules = await loadRules(file);
  const given = options.args === undefined ? undefined : parseObject(options.args, '--args');
  for (const { number, from, call, facts } of await recordedCalls(options.seq, { ...options, file }, shell)) {
    const isKnown = given !== undefined || (namesOnly(call) ?? []).length === 0;
    const explanation = explainByRules(rules, given === undefined ? facts : { ...facts, arguments: given });
    const undecided: ReadonlySet<number> = isKnown ? new Set() : undecidedRules(rules, explanation);
    if (options.json === true) {
      const decision = undecided.size > 0 ? { decision: null, undecided: [...undecided] } : {};
      printJson({ seq: number, recorded: call, ...explanation, ...decision }, shell);
      continue;
    }
    const { who, what, detail } = describeRuledCall(from, call, shell.style);
    shell.print(`${shell.style.dim(number)} ${who} ${what} ${detail}`);
    printExplanation(explanation, shell, undecided);
    shell.print('');
  }
}

async function factsFor(call: string | undefined, options: ExplainOptions, shell: Shell): Promise<CallFacts> {
  const described = describedCall(options, shell.now());
  const named = [call, described, options.proposal].filter((one) => one !== undefined);
  if (named.length !== 1) {
    throw usageFailure(
      'Say which call: CALL, or one of --tool, --resource, --prompt, --proposal and --seq.',
      [
        `${shell.name} rules explain FILE write_file --args '{"path":"/tmp/a"}'   # a tool`,
        `${shell.name} rules explain FILE ID   # a proposal`,
        `${shell.name} rules explain FILE '{"name":"write_file","arguments":{"path":"/tmp/a"}}'`,
      ],
    );
  }
  if (described !== undefined) return described;
  if (options.proposal !== undefined) return await pastCall(options.proposal, options, shell);
  const word = call ?? '';
  if (word.trimStart().startsWith('{')) return callInJson(word, options, shell.now());
  return (await pastCallIfAny(word, options, shell)) ?? toolNamed(word, options, shell);
}

/** A word that is not a proposal's id is a tool name, unless it looks like a mistyped id. */
async function pastCallIfAny(
  word: string,
  options: ExplainOptions,
  shell: Shell,
): Promise<CallFacts | undefined> {
  try {
    return await pastCall(word, options, shell);
  } catch (error) {
    const mayBeTool = word !== '' && !word.startsWith('p-') && !looksLikeGuards(word);
    const code = error instanceof CommandFailure ? error.failure.code : undefined;
    // Rules are a file: without a gateway, a tool can still be explained.
    if (mayBeTool && (code === 'unknown_proposal' || code === 'unreachable')) return undefined;
    throw error;
  }
}

function toolNamed(tool: string, options: ExplainOptions, shell: Shell): CallFacts {
  shell.tell(shell.style.dim(`${visible(tool)} is treated as a tool; use --proposal for a proposal.`));
  return describedCall({ ...options, tool }, shell.now());
}

/** A past call, by the id of its proposal or a prefix of it. */
async function pastCall(proposal: string, options: ExplainOptions, shell: Shell): Promise<CallFacts> {
  const past = await readHistory(options, shell);
  const exact = past.find(({ id }) => id === proposal);
  if (exact !== undefined) return exact.call;
  const found = past.filter(({ id }) => id.startsWith(proposal));
  const [only] = found;
  const next = [`${shell.name} inbox --all${historyPlace(options)}   # lists them`];
  if (found.length > 1)
    throw noSuchProposal(
      proposal,
      found.map(({ id }) => id),
      next,
    );
  if (only !== undefined) return only.call;
  const message = `There is no proposal ${JSON.stringify(proposal)} in the history that rules could have decided.`;
  throw new CommandFailure({
    exit: EXIT.refused,
    code: 'unknown_proposal',
    message,
    details: { proposal },
    next,
  });
}

/**
 * The positions, from 0, of the rules that cannot be judged without the arguments, because they have
 * conditions on them.
 */
function undecidedRules({ rules }: RuleSet, { tried }: RuleExplanation): ReadonlySet<number> {
  const undecided = tried.filter(({ rule, matched, failed }) =>
    matched
      ? rules[rule.index]?.conditions.some(({ about }) => isAboutArguments(about))
      : failed !== undefined && isAboutArguments(failed.condition),
  );
  return new Set(undecided.map(({ rule }) => rule.index));
}

/** Whether a condition looks at the arguments of a call. */
function isAboutArguments(condition: string): boolean {
  return /^arguments\b/.test(condition) || condition === 'noOtherArguments';
}

/** An action in its colour. */
function paintAction(action: RuleAction, style: Style): string {
  const paint = { allow: style.green, ask: style.yellow, deny: style.red }[action];
  return paint(action);
}

/**
 * Prints every rule that was tried, why it did not match, and what follows.
 *
 * @param undecided - the positions of rules that cannot be judged because the arguments are not known; if there is one,
 *   the result is unknown too
 */
function printExplanation(
  { decision, tried }: RuleExplanation,
  shell: Shell,
  undecided: ReadonlySet<number> = new Set(),
): void {
  const { style } = shell;
  for (const { rule, action, matched, failed, held, doubtful } of tried) {
    const isOpen = undecided.has(rule.index);
    const mark = isOpen ? style.yellow('?') : matched ? style.green('✓') : style.dim('·');
    shell.print(`${mark} ${visible(describeRule(rule))}: ${paintAction(action, style)}`);
    if (isOpen) {
      shell.print(style.yellow('    unknown: it depends on arguments, whose values are not recorded'));
      continue;
    }
    if (failed !== undefined) shell.print(style.dim(`    no: ${describeCondition(failed)}`));
    for (const condition of held) shell.print(style.dim(`    yes: ${describeCondition(condition)}`));
    for (const condition of doubtful) {
      shell.print(
        style.yellow(`    cannot be ruled out, so it counts as a match: ${describeCondition(condition)}`),
      );
    }
  }
  const version = style.dim(`rules ${visible(decision.version)}`);
  if (undecided.size > 0) {
    const why = 'What these rules say depends on the arguments, of which only the names are recorded.';
    shell.print('', `${style.bold(style.yellow('unknown'))}  ${why} Give them with --args JSON.`, version);
    return;
  }
  if (decision.rule === undefined) shell.print(`${style.green('✓')} no rule matches, so the default applies`);
  shell.print('', `${style.bold(paintAction(decision.action, style))}  ${visible(decision.reason)}`, version);
}

function describeCondition({ condition, expected, found }: ComparedCondition): string {
  return visible(`${condition} is ${found}; expected ${expected}`);
}
