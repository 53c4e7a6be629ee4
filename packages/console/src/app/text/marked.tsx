import type { ComponentChildren } from 'preact';
import { findCharacters, type MarkedCharacter } from './characters.js';
import { memo } from './memo.js';

/** With more of them than this, each is written out as text: a page of a million elements would stand still. */
const MOST_MARKS = 500;

/**
 * Text that somebody else wrote, exactly as it is and never as markup. What does not show itself is shown by its code,
 * and every piece keeps its direction to itself, so that it cannot reorder what stands around it.
 */
export const Marked = memo(({ text }: { readonly text: string }) => {
  const marks = findCharacters(text);
  if (marks.length === 0) return <bdi>{text}</bdi>;
  if (marks.length > MOST_MARKS) return <bdi>{writtenOut(text, marks)}</bdi>;
  const pieces: ComponentChildren[] = [];
  let end = 0;
  for (const mark of marks) {
    if (mark.start > end) pieces.push(text.slice(end, mark.start));
    pieces.push(<Mark key={mark.start} mark={mark} character={text.slice(mark.start, mark.end)} />);
    end = mark.end;
  }
  return (
    <bdi>
      {pieces}
      {text.slice(end)}
    </bdi>
  );
});

function Mark({ mark, character }: { readonly mark: MarkedCharacter; readonly character: string }) {
  const { kind, code } = mark;
  if (kind === 'hidden')
    return (
      <span class="mark" title={`A character that does not show itself: ${code}`}>
        {code}
      </span>
    );
  return (
    <span class="mark look-alike" title={`Looks like a Latin letter and is ${code}`}>
      {character}
      <small>{code}</small>
    </span>
  );
}

function writtenOut(text: string, marks: readonly MarkedCharacter[]): string {
  const pieces: string[] = [];
  let end = 0;
  for (const { start, end: next, code } of marks) {
    pieces.push(text.slice(end, start), `⟨${code}⟩`);
    end = next;
  }
  pieces.push(text.slice(end));
  return pieces.join('');
}

/** The same as plain text on one line, for titles and summaries. */
export function plainLine(text: string): string {
  const line = text.replaceAll(/\s*\n\s*/g, ' ↵ ');
  return writtenOut(line, findCharacters(line));
}
