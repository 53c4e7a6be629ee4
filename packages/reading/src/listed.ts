/** Joins names for a sentence: `a, b and c`. */
export function listed(names: Iterable<string>): string {
  const all = [...names];
  const last = all.pop() ?? 'nothing';
  return all.length === 0 ? last : `${all.join(', ')} and ${last}`;
}
