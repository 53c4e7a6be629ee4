import { isShortened } from '../display/short-ids.js';

/** An id as a person typed it. */
export interface TypedId {
  readonly text: string;
  /** It was copied with the mark of a short form, so it is the beginning of an id. */
  readonly isBeginning: boolean;
}

/** Reads what was typed for an id. The mark that short forms end with is never part of an id. */
export function readTypedId(typed: string): TypedId {
  const text = typed.replace(/(?:…|\.\.\.)$/, '');
  return { text, isBeginning: text !== typed };
}

/**
 * The ids that what was typed could mean. More than one: it is ambiguous, and nothing may be decided by it. A whole id
 * that is typed means itself, unless it could also be the short form of a longer one: a proposal can be given any id,
 * also one that is exactly what a table shows of another.
 *
 * @param ids - all that may be meant
 */
export function meaningsOf({ text, isBeginning }: TypedId, ids: Iterable<string>): readonly string[] {
  const found = [...new Set(ids)].filter((id) => id.startsWith(text));
  if (isBeginning || !found.includes(text)) return found;
  return found.filter((id) => id === text || isShortened(id));
}
