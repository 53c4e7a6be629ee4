/** A character that does not show itself, or passes for another. */
export interface MarkedCharacter {
  /** Where it stands, in UTF-16 units. */
  readonly start: number;
  readonly end: number;
  readonly kind: 'hidden' | 'look-alike';
  /** What it is, such as `U+202E`. */
  readonly code: string;
}

/** Controls, spaces, and whatever is not drawn; of these, three are what they look like. */
const HIDDEN = /[\p{C}\p{Z}\p{Default_Ignorable_Code_Point}]/gu;
const PLAIN = new Set([' ', '\n', '\t']);

/** A word with letters of Latin and of a script that has the same shapes. */
const MIXED = /[\p{Script=Latin}\p{Script=Cyrillic}\p{Script=Greek}\p{Script=Armenian}]+/gu;
const FOREIGN = /[\p{Script=Cyrillic}\p{Script=Greek}\p{Script=Armenian}]/gu;

/** Finds the characters in a text that a reader could miss or take for others, in their order. */
export function findCharacters(text: string): readonly MarkedCharacter[] {
  const found: MarkedCharacter[] = [];
  for (const { 0: character, index } of text.matchAll(HIDDEN))
    if (!PLAIN.has(character)) found.push(mark(character, index, 'hidden'));
  for (const { 0: word, index } of text.matchAll(MIXED)) {
    if (!/\p{Script=Latin}/u.test(word)) continue;
    for (const { 0: character, index: inside } of word.matchAll(FOREIGN))
      found.push(mark(character, index + inside, 'look-alike'));
  }
  return found.sort((left, right) => left.start - right.start);
}

function mark(character: string, start: number, kind: MarkedCharacter['kind']): MarkedCharacter {
  const code = `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`;
  return { start, end: start + character.length, kind, code };
}
