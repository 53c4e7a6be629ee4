import { useContext } from 'preact/hooks';
import { useHiding } from '../text/hiding.js';
import { Marked } from '../text/marked.js';
import { memo } from '../text/memo.js';
import { CodeLines } from './code-lines.js';
import { type Language, LanguageContext } from './language.js';
import { describeEnds, numberedLines, plainLines } from './line-ends.js';

/** Pieces of this many characters are laid out only when they come into sight. */
const PIECE = 8_000;

interface LongTextProps {
  readonly text: string;
  readonly isCode: boolean;
  /** The language of the code, if it is not that of the file around it. */
  readonly language?: Language | undefined;
}

/** A text of any length, complete; code with its line numbers, a longer text in pieces that end at a line break if possible. */
export const LongText = memo(({ text, isCode, language }: LongTextProps) => {
  const around = useContext(LanguageContext);
  // A secret may lie across two pieces.
  const plain = plainLines(useHiding().text(text));
  const lines = isCode ? numberedLines(plain.text) : [];
  const ends = describeEnds(plain);
  return (
    <div class={isCode ? 'text code' : 'text prose'} dir="auto">
      {ends !== undefined && <p class="line-ends">{ends}</p>}
      {lines.length > 0 ? (
        <CodeLines lines={lines} language={language ?? around} />
      ) : (
        pieces(plain.text).map((piece, index) => (
          <div key={index} class={plain.text.length > PIECE ? 'piece' : undefined}>
            <Marked text={piece} />
          </div>
        ))
      )}
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
