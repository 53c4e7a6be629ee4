/** Ids up to this length are shown whole. */
const LONG = 24;
/** So much of a longer one is shown at least: enough that another one seldom begins the same way. */
const LEAST = 13;
/** What a short form ends with. It tells a short form from an id, and commands do not take it for part of one. */
const MARK = '…';
/** What can be cut anywhere, and typed. */
const PLAIN = /^[\w.-]+$/;
/** What a reader takes for an id as it stands: ASCII without quotes, and nothing at its end that looks like our mark. */
const CLEAR = /^(?![^]*\.\.\.$)[!#-&(-_a-~]+$/;

/** Whether tables show an id in a short form. */
export function isShortened(id: string): boolean {
  return id.length > LONG && PLAIN.test(id);
}

/**
 * How ids are shown in a table. Long ones: the shortest beginning that no other of them has, with `…` behind it. Others
 * stand whole, and in quotes where they could pass for the short form of another.
 *
 * @param ids - all that a beginning must not be mistaken for
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

/** An id that stands alone: in quotes where a reader might not see where it begins and ends. */
export function wholeId(id: string): string {
  return CLEAR.test(id) ? id : JSON.stringify(id);
}

/** How many characters two texts begin with alike. */
function common(left: string, right = ''): number {
  let length = 0;
  while (length < right.length && left[length] === right[length]) length++;
  return length;
}
