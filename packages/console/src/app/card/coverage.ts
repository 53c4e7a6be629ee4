/** A stretch of a part of the page, in pixels from its top. */
export type Stretch = readonly [from: number, to: number];

/** Pixels that may be missing: browsers round. */
const SLACK = 4;

/** The visible ranges plus one more; sorted, and merged where they touch. */
export function withStretch(seen: readonly Stretch[], [from, to]: Stretch): readonly Stretch[] {
  if (to <= from) return seen;
  const apart = seen.filter(([start, end]) => end < from || start > to);
  const touching = seen.filter((stretch) => !apart.includes(stretch));
  const joined: Stretch = [
    Math.min(from, ...touching.map(([start]) => start)),
    Math.max(to, ...touching.map(([, end]) => end)),
  ];
  return [...apart, joined].sort(([left], [right]) => left - right);
}

/** The ranges after the part changed its height, for example when the window is resized. */
export function scaled(seen: readonly Stretch[], by: number): readonly Stretch[] {
  return seen.map(([from, to]) => [from * by, to * by]);
}

/** The start of the first range that was never visible; `undefined` if all of it was. */
export function firstGap(seen: readonly Stretch[], height: number): number | undefined {
  let end = 0;
  for (const [from, to] of seen) {
    if (from > end + SLACK) break;
    end = to;
  }
  return end >= height - SLACK ? undefined : end;
}

/** How many pixels were visible. */
export function seenHeight(seen: readonly Stretch[], height: number): number {
  if (firstGap(seen, height) === undefined) return height;
  return seen.reduce((sum, [from, to]) => sum + Math.max(0, Math.min(to, height) - from), 0);
}
