/** Ids up to this length are shown whole. */
const LONG = 24;
/** So much of a longer one is shown at least: enough that another one seldom begins the same way. */
const LEAST = 13;
/** What a short form ends with. It tells a short form from an id, and commands do not take it for part of one. */
const MARK = '…';
/** What can be cut anywhere, and typed. */
const PLAIN = /^[\w.-]+$/;
/** What can be shown as an id without quotes: ASCII without quotes, and no ending that looks like our mark. */
const CLEAR = /^(?![^]*\.\.\.$)[!#-&(-_a-~]+$/;

/** Whether tables show an id in a short form. */
export function isShortened(id: string): boolean {
  return id.length > LONG && PLAIN.test(id);
}

/**
 * How ids are shown in a table. Long ones: the shortest unique prefix, followed by `…`. Others are shown in full, and
 * in quotes if they could pass for the short form of another.
 *
 * @param ids - all that a prefix must not be mistaken for
 */
export function shortIds(ids: Iterable<string>): (id: string) => string {
  const sorted = [...new Set(ids)].sort();
  const shown = new Map<string, string>();
  for (const [index, id] of sorted.entries()) {
    const before = common(id, sorted[index - 1]);
    const after = common(id, sorted[index + 1]);
    // Ids that begin with this one follow it at once.
    const isBeginning = after === id.length;
    const length = Math.max(LEAST, before + 1, after + 1);
    if (isShortened(id) && !isBeginning && length < id.length) shown.set(id, `${id.slice(0, length)}${MARK}`);
    else if (
      isBeginning &&
      sorted.some((other) => other !== id && other.startsWith(id) && isShortened(other))
    )
      shown.set(id, JSON.stringify(id));
  }
  return (id) => shown.get(id) ?? wholeId(id);
}

/** A single id: in quotes if a reader might not see where it begins and ends. */
export function wholeId(id: string): string {
  return CLEAR.test(id) ? id : JSON.stringify(id);
}

/** How many characters two texts begin with alike. */
function common(left: string, right = ''): number {
  let length = 0;
  while (length < right.length && left[length] === right[length]) length++;
  return length;
}
