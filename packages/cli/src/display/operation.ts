import {
  diffJson,
  inOrderOf,
  isJsonObject,
  type JsonObject,
  replacementIn,
  replacementsIn,
  textOf,
  textsIn,
} from '@proffer/core/json';
import { hideSecrets } from '@proffer/core/secrets';
import {
  describeState,
  describeTrustQuestion,
  type ServerTrustQuestion,
  type Stated,
  trustQuestionIn,
} from '@proffer/core/words';
import { argumentsOf, nameOf, type ProposalView } from '../proposals/proposal-view.js';
import type { Style } from '../terminal/shell.js';
import {
  displayWidth,
  entriesInOrder,
  pad,
  visible,
  visibleArguments,
  visibleBlock,
  visibleLine,
  visibleLines,
} from '../terminal/visible.js';
import { showChanges, showDiff } from './changes.js';

/** What an operation is about, on one line. The address of a resource may have a password in it. */
export function visibleName(proposal: Pick<ProposalView, 'subject' | 'method'>, isRevealed = false): string {
  return visibleLine(nameOf(proposal), isRevealed);
}

/** The arguments of an operation on one line, without secrets; a guard's question in words. */
export function briefArguments(proposal: ProposalView, order: readonly string[]): string {
  const question = trustQuestionIn(proposal);
  return question === undefined
    ? visibleArguments(argumentsOf(proposal), order)
    : describeTrustQuestion(question, { text: visibleLine });
}

/** How to show arguments. */
export interface ArgumentsOptions {
  readonly indent: string;
  /** The names of the tool's arguments in its own order; the rest follows in alphabetical order. */
  readonly order?: readonly string[] | undefined;
  readonly isRevealed?: boolean;
}

/**
 * All arguments of an operation: nobody can decide about what they do not see. One line each; longer ones
 * below their name, behind a gutter; a replacement of text as the difference. Secrets are left out unless they are
 * revealed; the digest covers them.
 */
export function showArguments(
  asked: Pick<ProposalView, 'method' | 'params'>,
  style: Style,
  options: ArgumentsOptions,
): readonly string[] {
  const { indent, isRevealed = false } = options;
  const { method, params } = asked;
  const question = trustQuestionIn(asked);
  if (question !== undefined && !isRevealed) return showTrustQuestion(question, style, indent);
  const isHidden = !isRevealed && params !== undefined;
  const proposal = isHidden ? { method, params: hideSecrets(params).value } : asked;
  const input = argumentsOf(proposal);
  const rest = otherParams(proposal);
  const lines = isJsonObject(input)
    ? listed(input, style, options)
    : visibleBlock(input ?? {}, indent, isRevealed);
  const shown = lines.length === 0 ? [`${indent}${style.dim('(no arguments)')}`] : lines;
  return rest === undefined
    ? shown
    : [...shown, `${indent}${style.dim('besides')}`, ...visibleBlock(rest, `${indent}  `, isRevealed)];
}

function listed(input: JsonObject, style: Style, options: ArgumentsOptions): readonly string[] {
  const { indent, order = [], isRevealed = false } = options;
  const edit = replacementIn(input);
  const entries = inOrderOf(order, entriesInOrder(edit?.rest ?? input));
  const widest = entries.reduce((width, [key]) => Math.max(width, displayWidth(visible(key))), 0);
  const lines: string[] = [];
  const below = { gutter: `${indent}  │ `, isRevealed };
  for (const [key, value] of entries) {
    const name = `${indent}${pad(style.bold(visible(key)), Math.min(WIDEST_KEY, widest))}`;
    const edits = replacementsIn(value);
    const isLong = typeof value === 'string' && value.includes('\n');
    const block = isLong
      ? visibleLines(value, below.gutter, isRevealed)
      : visibleBlock(value, `${indent}  `, isRevealed);
    const [only = ''] = block;
    if (edits !== undefined) {
      lines.push(name);
      for (const { rest, ...texts } of edits)
        lines.push(
          ...listed(rest, style, { ...options, indent: `${indent}  ` }),
          ...showDiff(texts, style, below),
        );
    } else if (isLong || block.length > 1) lines.push(name, ...block);
    else lines.push(`${name}  ${only.slice(indent.length + 2)}`);
  }
  return edit === undefined ? lines : [...lines, ...showDiff(edit, style, below)];
}

const WIDEST_KEY = 20;

/** Params other than the name and the arguments, such as `_meta`: they run too. */
function otherParams({ method, params }: Pick<ProposalView, 'method' | 'params'>): JsonObject | undefined {
  if (params === undefined || argumentsOf({ method, params }) === params) return undefined;
  const { name: _name, arguments: _arguments, ...rest } = params;
  return Object.keys(rest).length === 0 ? undefined : rest;
}

/** Everything that is asked: nobody can decide about what they do not see. */
function showTrustQuestion(question: ServerTrustQuestion, style: Style, indent: string): readonly string[] {
  const { was, is } = question;
  const sentence = `${indent}${describeTrustQuestion(question, { text: visibleLine })}`;
  if (was !== undefined) return [sentence, ...showChanges(diffJson(was, is), style, { indent })];
  const { name: _all, title, package: from, version, callsItself, onlyReads, toolsWithHints, ...rest } = is;
  const row = (label: string, value: string): readonly string[] =>
    value === '' ? [] : [`${indent}${style.bold(label)}  ${visibleLine(value)}`];
  const described = typeof toolsWithHints === 'number' ? `${toolsWithHints} of its tools` : '';
  return [
    sentence,
    ...row('started by', textOf(title)),
    ...row('package', [textOf(from), textOf(version)].filter((text) => text !== '').join(' ')),
    ...row('calls itself', textOf(callsItself)),
    ...row('describes', described),
    ...row('says that these only read', textsIn(onlyReads).join(', ')),
    ...(Object.keys(rest).length === 0 ? [] : visibleBlock(rest, `${indent}  `)),
  ];
}

/** Why a proposer asks, in its own words; nothing if it does not say, or if that is not known. */
export function becauseOf(reason: string | undefined, isRevealed = false): readonly string[] {
  return reason === undefined || reason === '' ? [] : [`because “${visibleLine(reason, isRevealed)}”`];
}

type Asked = Pick<ProposalView, 'proposer' | 'origin'>;

/**
 * The proposer, and on whose behalf it asks, such as `files for claude-code 2.1 (alice)`; for an agent also
 * where it works, as in `claude-code (alice) in /srv/app, session 3f2a`.
 */
export function whoAsks(proposal: Asked): string {
  const { folder, session } = proposal.origin ?? {};
  const where = folder === undefined ? '' : ` in ${visible(folder)}`;
  return `${whoAsksBriefly(proposal)}${where}${session === undefined ? '' : `, session ${visible(session)}`}`;
}

/** Who asks, without the location, for a table row. */
export function whoAsksBriefly({ proposer, origin }: Asked): string {
  const { client, version, user } = origin ?? {};
  const program = [client, version].filter((part) => part !== undefined).join(' ');
  const behind = [program, user === undefined ? '' : program === '' ? user : `(${user})`];
  const asked = behind.filter((part) => part !== '').join(' ');
  // An agent that asks on its own behalf is named once.
  const isItself = client === proposer;
  return visible(isItself || asked === '' ? asked || proposer : `${proposer} for ${asked}`);
}

const COLOURS = { good: 'green', bad: 'red', plain: 'cyan' } as const;

/** The state of a proposal in a word or two, in its colour. */
export function phaseWord(proposal: Stated, style: Style): string {
  const { word, tone } = describeState(proposal);
  return style[COLOURS[tone]](word);
}

/** A proposal for programs, as every command prints it: the HTTP form, with its phase as `state`. */
export function proposalJson({ phase, ...rest }: JsonObject): JsonObject {
  return { ...rest, state: phase };
}
