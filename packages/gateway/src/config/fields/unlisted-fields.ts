import { formatPath } from '@proffer/core/json';
import { readOneOrMore, readText } from '@proffer/reading';
import { type Field, field, listOf, optional, section, withDefault } from '../read/field.js';
import { choice, text } from '../read/scalar.js';
import type { CapabilityList } from './capability-list.js';
import { NEGOTIATION_KEYS, type NegotiationKey } from './negotiation-fields.js';
import { RIGHTS, type WrittenRights } from './participant-fields.js';

/** The rights of JWT subjects that are not participants. */
export interface WrittenUnlisted extends WrittenRights {
  readonly claims: readonly WrittenClaimGrant[];
  readonly macpScopes: readonly NegotiationKey[];
  readonly subjectClaim: readonly string[] | undefined;
  readonly worksForClaim: readonly string[] | undefined;
}

/** What one value of a claim grants, as written: grants not yet resolved. */
export interface WrittenClaimGrant {
  readonly claim: readonly string[];
  readonly has: string;
  readonly spaces: ReadonlyMap<string, CapabilityList>;
  readonly roles: readonly string[];
  readonly observer: boolean;
  readonly runsOwnCalls: boolean;
  readonly reviewOnly: boolean;
}

/**
 * The name of a claim, or the names that lead into nested ones: `[realm_access, roles]`. Dots do not
 * separate names, because names such as `https://example.com/groups` have dots of their own.
 */
const claimPath = field(
  readOneOrMore(readText('the name of a claim'), 'names of claims, the outermost first'),
  'none',
);

const { spaces, roles, observer, runsOwnCalls, reviewOnly } = RIGHTS;

const CLAIM_GRANT = section<WrittenClaimGrant>({
  claim: claimPath,
  has: text('the value of the claim, or one of its values'),
  spaces,
  roles,
  observer,
  runsOwnCalls,
  reviewOnly,
});

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
export const UNLISTED: Field<WrittenUnlisted> = section<WrittenUnlisted>({
  claims: withDefault(
    listOf(claimGrant, 'claims such as { claim: groups, has: reviewers, spaces: { main: reviewer } }'),
    [],
  ),
  macpScopes: withDefault(listOf(choice(NEGOTIATION_KEYS).read, 'keys of the claim', 'list'), []),
  subjectClaim: optional(claimPath),
  worksForClaim: optional(claimPath),
  ...RIGHTS,
});
