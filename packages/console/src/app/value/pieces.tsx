import type { ComponentChildren } from 'preact';

/** Items laid out together. */
const SIZE = 200;

interface PiecesProps<Item> {
  readonly of: readonly Item[];
  /** Draws a range. `from` is the index of the first. */
  readonly draw: (some: readonly Item[], from: number) => ComponentChildren;
}

/** Thousands of rows, lines or items, all of them; each piece is laid out only when it comes into view. */
export function Pieces<Item>({ of, draw }: PiecesProps<Item>) {
  if (of.length <= SIZE) return <>{draw(of, 0)}</>;
  const starts = Array.from({ length: Math.ceil(of.length / SIZE) }, (_, place) => place * SIZE);
  return (
    <>
      {starts.map((from) => (
        <div key={from} class="piece">
          {draw(of.slice(from, from + SIZE), from)}
        </div>
      ))}
    </>
  );
}
