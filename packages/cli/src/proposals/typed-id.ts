import { isShortened } from '../display/short-ids.js';

/** An id as a person typed it. */
export interface TypedId {
  readonly text: string;
  /** Whether the id was copied with the mark of a short form, so it is a prefix. */
  readonly isBeginning: boolean;
}

/** Parses a typed id. The mark of a short form is never part of an id. */
export function readTypedId(typed: string): TypedId {
  const text = typed.replace(/(?:…|\.\.\.)$/, '');
  return { text, isBeginning: text !== typed };
}

/**
 * The ids that a typed text could mean. More than one is ambiguous, and nothing may be decided by it. A whole
 * id means itself, unless it could also be the short form of a longer one: a proposal can have any id, even
 * exactly what a table shows of another.
 *
 * @param ids - all candidates
 */
export function meaningsOf({ text, isBeginning }: TypedId, ids: Iterable<string>): readonly string[] {
  const found = [...new Set(ids)].filter((id) => id.startsWith(text));
  if (isBeginning || !found.includes(text)) return found;
  return found.filter((id) => id === text || isShortened(id));
}
