import { diffArrays } from 'diff/lib/diff/array.js';
import { useHiding } from '../text/hiding.js';
import { Marked } from '../text/marked.js';
import { memo } from '../text/memo.js';
import { Pieces } from './pieces.js';

const SIGNS = { same: ' ', removed: '−', added: '+' } as const;
const SAID = { same: '', removed: 'removed: ', added: 'added: ' } as const;

/** The change from one text to another, line by line, each in full. */
export const DiffView = memo(({ before, after }: { readonly before: string; readonly after: string }) => {
  // A secret may have several lines.
  const { text } = useHiding();
  return (
    <div class="diff">
      <Pieces
        of={changedLines(linesOf(text(before)), linesOf(text(after)))}
        draw={(lines) => lines.map((line, index) => <Line key={index} line={line} />)}
      />
    </div>
  );
});

interface DiffLine {
  readonly type: keyof typeof SIGNS;
  readonly text: string;
}

function changedLines(old: string[], now: string[]): readonly DiffLine[] {
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

function Line({ line: { type, text } }: { readonly line: DiffLine }) {
  return (
    <div class={`diff-line ${type}`}>
      <span class="sign" aria-hidden="true">
        {SIGNS[type]}
      </span>
      <span class="sr">{SAID[type]}</span>
      <Marked text={text} />
    </div>
  );
}
