/** Ids up to this length are shown whole. */
const LONG = 24;
/** Shows at least this much of a longer one: enough that another rarely has the same prefix. */
const LEAST = 13;
/**
 * The end mark of a short form. It tells a short form from an id, and commands do not treat it as part of
 * one.
 */
const MARK = '…';
/** Characters that can be cut anywhere, and typed. */
const PLAIN = /^[\w.-]+$/;
/** Characters that need no quotes: ASCII without quotes, and no ending that looks like our mark. */
const CLEAR = /^(?![^]*\.\.\.$)[!#-&(-_a-~]+$/;

/** Whether tables shorten an id. */
export function isShortened(id: string): boolean {
  return id.length > LONG && PLAIN.test(id);
}

/**
 * Formats ids for a table. Long ones: the shortest unique prefix, followed by `…`. Others are shown in full,
 * and in quotes if they could pass for the short form of another.
 *
 * @param ids - all ids that a prefix must distinguish
 */
export function shortIds(ids: Iterable<string>): (id: string) => string {
  const sorted = [...new Set(ids)].sort();
  const shown = new Map<string, string>();
  for (const [index, id] of sorted.entries()) {
    const before = common(id, sorted[index - 1]);
    const after = common(id, sorted[index + 1]);
    // Ids with this prefix follow it directly.
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

/** A single id: in quotes if its beginning and end might not be visible. */
export function wholeId(id: string): string {
  return CLEAR.test(id) ? id : JSON.stringify(id);
}

/** The length of the common prefix of two texts. */
function common(left: string, right = ''): number {
  let length = 0;
  while (length < right.length && left[length] === right[length]) length++;
  return length;
}
