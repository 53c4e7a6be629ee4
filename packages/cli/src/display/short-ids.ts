/** Ids up to this length stand as they are. */
const LONG = 24;
/** So much of a longer one is shown at least: enough not to be met again soon. */
const LEAST = 13;

/**
 * How ids are shown in a table: long ones by the shortest beginning that no other of them has, which commands
 * take for the whole.
 *
 * @param ids - all that a beginning must not be mistaken for
 */
export function shortIds(ids: Iterable<string>): (id: string) => string {
  const sorted = [...new Set(ids)].sort();
  const short = new Map<string, string>();
  for (const [index, id] of sorted.entries()) {
    // Only what can be cut anywhere, and typed.
    if (id.length <= LONG || !/^[\w.-]+$/.test(id)) continue;
    const shared = Math.max(common(id, sorted[index - 1]), common(id, sorted[index + 1]));
    short.set(id, id.slice(0, Math.max(LEAST, shared + 1)));
  }
  return (id) => short.get(id) ?? id;
}

/** How many characters two texts begin with alike. */
function common(left: string, right = ''): number {
  let length = 0;
  while (length < right.length && left[length] === right[length]) length++;
  return length;
}
