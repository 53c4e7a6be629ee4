import { diffArrays } from 'diff/lib/diff/array.js';
import { useContext, useMemo } from 'preact/hooks';
import { useHiding } from '../text/hiding.js';
import { memo } from '../text/memo.js';
import { CodeLine, useTokens } from './code-lines.js';
import type { LineState, Token } from './code-tokens.js';
import { LanguageContext } from './language.js';
import { describeChangedEnds, plainLines } from './line-ends.js';
import { Pieces } from './pieces.js';

const SIGNS = { same: ' ', removed: '−', added: '+' } as const;
const SAID = { same: '', removed: 'removed: ', added: 'added: ' } as const;

interface ColouredLine extends DiffLine {
  readonly tokens?: readonly Token[];
}

/** The change from one text to another, line by line, each in full. */
export const DiffView = memo(({ before, after }: { readonly before: string; readonly after: string }) => {
  // A secret may have several lines.
  const { text } = useHiding();
  const lines = useLines(plainLines(text(before)).text, plainLines(text(after)).text);
  const ends = describeChangedEnds(plainLines(before), plainLines(after));
  const isColoured = lines[0]?.tokens !== undefined;
  return (
    <div class={isColoured ? 'diff coloured' : 'diff'}>
      {ends !== undefined && <p class="line-ends">{ends}</p>}
      <Pieces of={lines} draw={(some) => some.map((line, index) => <Line key={index} line={line} />)} />
    </div>
  );
});

/** The lines of a change, in the colours of the file that is changed. */
function useLines(before: string, after: string): readonly ColouredLine[] {
  const language = useContext(LanguageContext);
  const tokensOf = useTokens(language);
  const lines = useMemo(() => changedLines(before, after), [before, after]);
  return useMemo(() => {
    if (tokensOf === undefined || language === undefined) return lines;
    // A comment that goes on for several lines does so in one of the two texts, or in both.
    const states: Record<'removed' | 'added', LineState> = { removed: '', added: '' };
    return lines.map((line) => {
      const { tokens, state } = tokensOf(
        line.text,
        language,
        states[line.type === 'removed' ? 'removed' : 'added'],
      );
      if (line.type !== 'added') states.removed = state;
      if (line.type !== 'removed') states.added = state;
      return { ...line, tokens };
    });
  }, [lines, language, tokensOf]);
}

function Line({ line: { type, text, tokens } }: { readonly line: ColouredLine }) {
  return (
    <div class={`diff-line ${type}`}>
      <span class="sign" aria-hidden="true">
        {SIGNS[type]}
      </span>
      <span class="sr">{SAID[type]}</span>
      <CodeLine text={text} tokens={tokens} />
    </div>
  );
}

/** A line of a change. */
interface DiffLine {
  readonly type: 'same' | 'removed' | 'added';
  readonly text: string;
}

/** The lines of two texts: what both have, what only the first has, and what only the second has. */
function changedLines(before: string, after: string): readonly DiffLine[] {
  const [old, now] = [linesOf(before), linesOf(after)];
  // More than 2,000 changed lines are one block, because it would take too long to compare them.
  const parts = diffArrays(old, now, { maxEditLength: 2_000 }) ?? [
    { removed: true, added: false, value: old },
    { removed: false, added: true, value: now },
  ];
  return parts.flatMap(({ removed, added, value }) => {
    const type = removed ? 'removed' : added ? 'added' : 'same';
    return value.map((text) => ({ type, text }) as const);
  });
}

function linesOf(text: string): string[] {
  return text === '' ? [] : text.split('\n');
}
