import { formatPath } from '@proffer/core/json';
import { readOneOrMore, readText } from '@proffer/reading';
import { type Field, field, listOf, optional, section, type ValueOf, withDefault } from '../read/field.js';
import { choice, text } from '../read/scalar.js';
import { NEGOTIATION_KEYS } from './negotiation-fields.js';
import { RIGHTS } from './participant-fields.js';

/**
 * The name of a claim, or the names that lead into nested ones: `[realm_access, roles]`. Dots do not
 * separate names, because names such as `https://example.com/groups` have dots of their own.
 */
const claimPath = field(
  readOneOrMore(readText('the name of a claim'), 'names of claims, the outermost first'),
  'none',
);

const { spaces, roles, observer, runsOwnCalls, reviewOnly } = RIGHTS;

const CLAIM_GRANT = section({
  claim: claimPath,
  has: text('the value of the claim, or one of its values'),
  spaces,
  roles,
  observer,
  runsOwnCalls,
  reviewOnly,
});

/** What one value of a claim grants, as written: grants not yet resolved. */
export type WrittenClaimGrant = ValueOf<typeof CLAIM_GRANT>;

const claimGrant: Field<WrittenClaimGrant>['read'] = (tree, path, report) => {
  const read = CLAIM_GRANT.read(tree, path, report);
  if (read === undefined) return undefined;
  if (read.spaces.size > 0 || read.roles.length > 0 || read.observer || read.runsOwnCalls) return read;
  report(
    tree.at,
    formatPath(path),
    'This claim grants nothing; add spaces, roles, observer or runs_own_calls.',
  );
  return undefined;
};

/** The keys under `jwt.unlisted_subjects`. */
export const UNLISTED = section({
  claims: withDefault(
    listOf(claimGrant, 'claims such as { claim: groups, has: reviewers, spaces: { main: reviewer } }'),
    [],
  ),
  macpScopes: withDefault(listOf(choice(NEGOTIATION_KEYS).read, 'keys of the claim', 'list'), []),
  subjectClaim: optional(claimPath),
  worksForClaim: optional(claimPath),
  ...RIGHTS,
});

/** The rights of JWT subjects that are not participants, as written. */
export type WrittenUnlisted = ValueOf<typeof UNLISTED>;
