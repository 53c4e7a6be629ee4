import { type Change, changeTexts, type JsonValue } from '@proffer/core/json';
import { hideAt, hideInText } from '@proffer/core/secrets';
import { diffArrays } from 'diff';
import type { ProposalView } from '../proposals/proposal-view.js';
import type { Style } from '../terminal/shell.js';
import { visible, visibleJson, visibleLine, visibleLines } from '../terminal/visible.js';

/**
 * What was amended, one block per place: the value before and the value now, or the difference between texts of several
 * lines (O-13). Secrets are hidden unless they are revealed.
 */
export function showChanges(
  changes: readonly Change[],
  style: Style,
  { indent, isRevealed = false }: { readonly indent: string; readonly isRevealed?: boolean },
): readonly string[] {
  const shown = (path: string, value: JsonValue): string =>
    visibleJson(isRevealed ? value : hideAt(path, value), isRevealed);
  const onLines = ({ path, before, after }: Change): readonly string[] => [
    ...(before === undefined ? [] : [style.red(`${indent}  - ${shown(path, before)}`)]),
    ...(after === undefined ? [] : [style.green(`${indent}  + ${shown(path, after)}`)]),
  ];
  const hidden = (path: string, value: JsonValue | undefined): JsonValue | undefined =>
    isRevealed || value === undefined ? value : hideAt(path, value);
  return changes.flatMap((change) => {
    const { path, before, after } = change;
    const place = `${indent}${style.bold(visible(path === '' ? '/' : path))}`;
    if (!isLong(before) && !isLong(after)) return [place, ...onLines(change)];
    const texts = changeTexts(hidden(path, before), hidden(path, after));
    return [place, ...showDiff(texts, style, { gutter: `${indent}  `, isRevealed })];
  });
}

function isLong(value: JsonValue | undefined): boolean {
  return typeof value === 'string' && value.includes('\n');
}

/** Marks a line that ends with a carriage return, where others do not. */
const CARRIAGE_RETURN = '␍';

/** The change from one text to another, line by line, each in full. Secrets are hidden unless they are revealed. */
export function showDiff(
  { before, after }: { readonly before: string; readonly after: string },
  style: Style,
  { gutter, isRevealed }: { readonly gutter: string; readonly isRevealed: boolean },
): readonly string[] {
  // A secret may have several lines.
  const shown = (text: string): string => (isRevealed ? text : hideInText(text));
  const [old, now] = [linesOf(shown(before)), linesOf(shown(after))];
  // More than 2,000 changed lines are one block, because it would take too long to compare them.
  const parts = diffArrays(old, now, { maxEditLength: 2_000 }) ?? [
    { removed: true, added: false, value: old },
    { removed: false, added: true, value: now },
  ];
  // Where all lines end the same way, the ends say nothing.
  const mark = isAllCrlf(before) && isAllCrlf(after) ? '' : CARRIAGE_RETURN;
  return parts.flatMap(({ removed, added, value }) => {
    const [sign, paint] = removed
      ? ['-', style.red]
      : added
        ? ['+', style.green]
        : [' ', (text: string) => text];
    return value.flatMap((line) =>
      visibleLines(line.replace(/\r$/, mark), `${gutter}${sign} `, true).map(paint),
    );
  });
}

function linesOf(text: string): string[] {
  return text === '' ? [] : text.split('\n');
}

function isAllCrlf(text: string): boolean {
  return !/(?<!\r)\n/.test(text);
}

const STATES = { live: '', accepted: ' (accepted)', withdrawn: ' (taken back)' } as const;

/** The counter-offers to a proposal as a conversation, oldest first: who, why, and the changes (O-40). */
export function showCounters(
  { counters = [], proposer }: Pick<ProposalView, 'counters' | 'proposer'>,
  style: Style,
  isRevealed = false,
): readonly string[] {
  return counters.flatMap(({ id, by, reason, amendment, state }) => {
    const says = `${visible(by)} ${by === proposer ? 'answers' : 'offers'}: ${visibleLine(reason, isRevealed)}`;
    const line = `${style.cyan('↩')} ${says}${STATES[state]} ${style.dim(visible(id))}`;
    return state === 'withdrawn'
      ? [style.dim(line)]
      : [line, ...showChanges(amendment, style, { indent: '    ', isRevealed })];
  });
}
