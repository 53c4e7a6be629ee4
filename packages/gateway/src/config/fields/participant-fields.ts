import { formatPath } from '@proffer/core/json';
import { type SpaceSettings } from '@proffer/core/operations';
import { type SourcePosition } from '@proffer/reading';
import { type Field, listOf, mapOf, optional, section, type ValueOf, withDefault } from '../read/field.js';
import { duration } from '../read/quantity.js';
import { choice, flag, scalar, text, textThat, wholeNumber } from '../read/scalar.js';
import { type CapabilityList, grant } from './capability-list.js';
import { checkParticipantName, negotiationFlags } from './negotiation-fields.js';
import { isRoleName, review } from './review-fields.js';

const DAY = 86_400_000;

/** The hash of a token, and its position in the file. */
export interface WrittenToken {
  /** 64 hexadecimal digits in lower case. */
  readonly hash: string;
  readonly at: SourcePosition;
  readonly path: string;
}

/** The settings of a space as written; the number of pending proposals is a limit. */
type WrittenSpace = {
  readonly [Key in Exclude<keyof SpaceSettings, 'name' | 'maxPending'>]-?: SpaceSettings[Key] | undefined;
};

const HASH = 'sha256: and 64 hexadecimal digits, as `proffer token` prints it';

const tokenHash = scalar<string>(
  (found) => {
    const digits = /^sha256:([0-9a-f]{64})$/i.exec(found)?.[1];
    if (digits !== undefined) return { value: digits.toLowerCase() };
    const isToken = found.startsWith('pf_');
    return {
      expected: isToken
        ? `the hash, not the token itself (replace that token, it has been exposed): ${HASH}`
        : HASH,
    };
  },
  HASH,
  'secret',
);

const token: Field<WrittenToken>['read'] = (tree, path, report) => {
  const hash = tokenHash.read(tree, path, report);
  return hash === undefined ? undefined : { hash, at: tree.at, path: formatPath(path) };
};

const roles = listOf(textThat(isRoleName, 'a role: a name without whitespace').read, 'roles');

/** The keys of all who have rights. */
export const RIGHTS = {
  spaces: withDefault(
    mapOf<CapabilityList>(grant().read, {
      what: 'names of spaces',
      check: () => undefined,
    }),
    new Map(),
  ),
  observer: withDefault(flag(), false),
  runsOwnCalls: withDefault(flag(), false),
  reviewOnly: withDefault(flag(), false),
  roles: withDefault(roles, []),
  negotiation: negotiationFlags(),
};

/** The keys of one participant. */
export const PARTICIPANT = section({
  tokens: withDefault(listOf(token, 'hashes of tokens'), []),
  subject: optional(text('what identifies the person behind it')),
  worksFor: optional(text("a person's name or subject")),
  ...RIGHTS,
});

/** A participant as written: grants not yet resolved. */
export type WrittenParticipant = ValueOf<typeof PARTICIPANT>;

/** The keys of one space; core's `spaceSettings` fills in defaults. */
export const SPACE: Field<WrittenSpace> = section<WrittenSpace>({
  defaultTtl: optional(duration(1, 3650 * DAY)),
  maxTtl: optional(duration(1, 3650 * DAY)),
  expiryWarnings: optional(flag()),
  exclusiveTimeout: optional(duration(1, 3650 * DAY)),
  answerTimeout: optional(duration(1, 3650 * DAY)),
  dedupWindow: optional(duration(1000, 7 * DAY)),
  selfFulfilment: optional(flag()),
  arguments: optional(choice(['refuse', 'mark'])),
  counterRounds: optional(wholeNumber(0, 100)),
  review: optional(review),
  signed: optional(flag()),
  visibility: optional(choice(['all', 'addressed'])),
});

/** All participants, by name. */
export const participants = mapOf(PARTICIPANT.read, {
  what: 'names of participants',
  check: checkParticipantName,
});

/** All spaces, by name. */
export const spaces = mapOf(SPACE.read, {
  what: 'names of spaces',
  check: (name) =>
    /^[a-z0-9][a-z0-9_-]{0,63}$/.test(name)
      ? undefined
      : 'A space name has at most 64 lower-case letters, digits, - and _, and starts with a letter or digit.',
});
