import { type DiffLine, diffLines } from '@proffer/core/text';
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
        of={diffLines(text(before), text(after))}
        draw={(lines) => lines.map((line, index) => <Line key={index} line={line} />)}
      />
    </div>
  );
});

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
