import { isJsonObject, type JsonObject } from '@proffer/core/json';
import { hideSecrets } from '@proffer/core/secrets';
import { argumentsOf, type ProposalView } from '../proposals/proposal-view.js';
import type { Style } from '../terminal/style.js';
import { entriesInOrder, visible, visibleBlock, visibleLines } from '../terminal/visible.js';
import { displayWidth, pad } from '../terminal/width.js';

/**
 * All arguments of an operation: nobody can decide about what they do not see. One line each; longer ones
 * below their name, behind a gutter. Secrets are left out unless they are revealed; the digest covers them.
 */
export function showArguments(
  asked: Pick<ProposalView, 'method' | 'params'>,
  style: Style,
  indent: string,
  isRevealed = false,
): readonly string[] {
  const { method, params } = asked;
  const isHidden = !isRevealed && params !== undefined;
  const proposal = isHidden ? { method, params: hideSecrets(params).value } : asked;
  const input = argumentsOf(proposal);
  const rest = otherParams(proposal);
  const lines = isJsonObject(input)
    ? listed(input, style, { indent, isRevealed })
    : visibleBlock(input ?? {}, indent, isRevealed);
  const shown = lines.length === 0 ? [`${indent}${style.dim('(no arguments)')}`] : lines;
  return rest === undefined
    ? shown
    : [...shown, `${indent}${style.dim('besides')}`, ...visibleBlock(rest, `${indent}  `, isRevealed)];
}

function listed(
  input: JsonObject,
  style: Style,
  { indent, isRevealed }: { readonly indent: string; readonly isRevealed: boolean },
): readonly string[] {
  const entries = entriesInOrder(input);
  const widest = entries.reduce((width, [key]) => Math.max(width, displayWidth(visible(key))), 0);
  const lines: string[] = [];
  for (const [key, value] of entries) {
    const name = `${indent}${pad(style.bold(visible(key)), Math.min(WIDEST_KEY, widest))}`;
    const isLong = typeof value === 'string' && value.includes('\n');
    const block = isLong
      ? visibleLines(value, `${indent}  │ `, isRevealed)
      : visibleBlock(value, `${indent}  `, isRevealed);
    const [only = ''] = block;
    if (isLong || block.length > 1) lines.push(name, ...block);
    else lines.push(`${name}  ${only.slice(indent.length + 2)}`);
  }
  return lines;
}

const WIDEST_KEY = 20;

/** Params other than the name and the arguments, such as `_meta`: they run too. */
function otherParams({ method, params }: Pick<ProposalView, 'method' | 'params'>): JsonObject | undefined {
  if (params === undefined || argumentsOf({ method, params }) === params) return undefined;
  const { name: _name, arguments: _arguments, ...rest } = params;
  return Object.keys(rest).length === 0 ? undefined : rest;
}
