import { useHiding } from '../text/hiding.js';
import { Marked } from '../text/marked.js';
import { memo } from '../text/memo.js';

/** Pieces of this many characters are laid out only when they come into sight. */
const PIECE = 8_000;

/** A text of any length, complete, in pieces that end at a line break if possible. */
export const LongText = memo(({ text, isCode }: { readonly text: string; readonly isCode: boolean }) => {
  // A secret may lie across two pieces.
  const shown = useHiding().text(text);
  return (
    <div class={isCode ? 'text code' : 'text prose'} dir="auto">
      {pieces(shown).map((piece, index) => (
        <div key={index} class={shown.length > PIECE ? 'piece' : undefined}>
          <Marked text={piece} />
        </div>
      ))}
    </div>
  );
});

function pieces(text: string): readonly string[] {
  const found: string[] = [];
  let start = 0;
  while (text.length - start > PIECE) {
    const line = text.lastIndexOf('\n', start + PIECE);
    const end = line > start ? line + 1 : wholeCharacters(text, start + PIECE);
    found.push(text.slice(start, end).replace(/\n$/, ''));
    start = end;
  }
  found.push(text.slice(start));
  return found;
}

/** Does not split a surrogate pair. */
function wholeCharacters(text: string, end: number): number {
  const code = text.charCodeAt(end - 1);
  return code >= 0xd800 && code <= 0xdbff ? end - 1 : end;
}
