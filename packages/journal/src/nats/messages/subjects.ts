import type { SpaceScope } from '../../feed.js';
import { EVERY_SPACE } from '../../journal.js';
import { nativeSha256 } from '../../native-hash.js';

/** Longer names are replaced by their hash in subjects: a server accepts no line of more than 4 KiB. */
const LONGEST = 1_024;

/** How many subjects are cached. */
const MAX_KNOWN = 1_024;

/** How a journal's streams are named on NATS. */
export interface Subjects {
  /** The subject of an entity stream: its name, with a dot for each slash. */
  of(stream: string): string;
  /** All subjects of a space, or of all spaces. */
  below(space: SpaceScope): string;
  /** The space that a subject belongs to, as written in subjects. */
  spaceIn(subject: string): string;
  /** The result of {@link spaceIn} for a space. */
  spaceToken(space: string): string;
  /** A subject of no stream: publishing there only uses up a `seq`. */
  readonly gap: string;
}

/** @param prefix - the prefix of all subjects */
export function createSubjects(prefix: string): Subjects {
  const start = prefix.length + 1;
  // Each append asks for the same one several times.
  const known = new Map<string, string>();

  function subjectOf(stream: string): string {
    const [space = '', ...rest] = stream.split('/');
    const name = rest.length === 0 ? '%self' : rest.map(token).join('.');
    return `${prefix}.${token(space)}.${name.length > LONGEST ? `%${nativeSha256(stream)}` : name}`;
  }

  return {
    of(stream) {
      const found = known.get(stream);
      if (found !== undefined) return found;
      const subject = subjectOf(stream);
      if (known.size === MAX_KNOWN) known.clear();
      known.set(stream, subject);
      return subject;
    },
    below: (space) => (space === EVERY_SPACE ? `${prefix}.>` : `${prefix}.${token(space)}.>`),
    spaceIn: (subject) => subject.slice(start, subject.indexOf('.', start)),
    spaceToken: token,
    gap: `${prefix}.%gap.%gap`,
  };
}

/** A name as one token of a subject: special and unusual characters become `%` and hex. */
function token(name: string): string {
  if (/^[\w-]+$/.test(name)) return name;
  if (name === '') return '%empty';
  return Array.from(Buffer.from(name, 'utf8'), (byte) => {
    const letter = String.fromCharCode(byte);
    return /[\w-]/.test(letter) ? letter : `%${byte.toString(16).padStart(2, '0')}`;
  }).join('');
}
