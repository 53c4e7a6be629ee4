/**
 * Entries in the order of some names, the rest after them as they are. Records sort names; the schema of a tool lists them
 * in an order that means something.
 */
export function inOrderOf<Value>(
  names: readonly string[],
  entries: readonly (readonly [string, Value])[],
): readonly (readonly [string, Value])[] {
  const place = (name: string): number => {
    const found = names.indexOf(name);
    return found === -1 ? names.length : found;
  };
  return [...entries].sort(([left], [right]) => place(left) - place(right));
}
