/**
 * A name without what parsers may ignore: case, full-width and other compatibility forms, spaces, and characters that
 * cannot be seen.
 */
export function folded(name: string): string {
  if (/^[a-z0-9_/-]*$/.test(name)) return name;
  const plain = name.normalize('NFKC').replaceAll(/[\s\p{C}\p{Default_Ignorable_Code_Point}]/gu, '');
  return plain.toLowerCase();
}
