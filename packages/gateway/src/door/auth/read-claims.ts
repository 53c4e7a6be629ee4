import { type Result, success } from '@proffer/core';
import { type Capability } from '@proffer/core/capability';
import { type JsonValue } from '@proffer/core/json';
import { createReport, type Problem, type Report, treeOfJson } from '@proffer/reading';
import {
  type Grant,
  grant,
  negotiationFlags,
  resolveGrant,
  roles,
  type WrittenFlags,
} from '../../config/fields/index.js';
import type { GatewayConfig } from '../../config/index.js';
import { type Field, flag, mapOf, optional, section, text } from '../../config/read/index.js';
import { unauthenticated } from './unauthenticated.js';

/** The rights in the claim `proffer`; absent ones were not in it. */
export interface ProfferClaim {
  readonly spaces?: ReadonlyMap<string, readonly Capability[]>;
  readonly observer?: boolean;
  readonly runsOwnCalls?: boolean;
  readonly reviewOnly?: boolean;
  readonly roles?: readonly string[];
  readonly subject?: string;
  readonly worksFor?: string;
}

interface Written {
  readonly spaces: ReadonlyMap<string, Grant> | undefined;
  readonly observer: boolean | undefined;
  readonly runsOwnCalls: boolean | undefined;
  readonly reviewOnly: boolean | undefined;
  readonly roles: readonly string[] | undefined;
  readonly subject: string | undefined;
  readonly worksFor: string | undefined;
}

const PROFFER: Field<Written> = section<Written>({
  spaces: optional(
    mapOf<Grant>((tree, path, report) => grant().read(tree, path, report), {
      what: 'names of spaces',
      check: () => undefined,
    }),
  ),
  observer: optional(flag()),
  runsOwnCalls: optional(flag()),
  reviewOnly: optional(flag()),
  roles: optional(roles),
  subject: optional(text('what identifies the person behind it')),
  worksFor: optional(text('the name or the subject of a person')),
});

// MACP issuers may add their own keys, which runtimes must ignore.
const MACP_SCOPES = negotiationFlags('open');

/**
 * Parses the claim `proffer`, in the form of a configured participant: `{ "spaces": { NAME: LIST_NAME |
 * [capability, …] }, "observer": …, "runs_own_calls": …, "review_only": … }`. Spaces that this gateway does
 * not have are left out.
 */
export function readProfferClaim(claim: JsonValue | undefined, config: GatewayConfig): Result<ProfferClaim> {
  if (claim === undefined) return success({});
  const { problems, report } = createReport();
  const written = PROFFER.read(treeOfJson(claim, AT), ['proffer'], report);
  const spaces = written?.spaces && resolveSpaces(written.spaces, config, report);
  if (written === undefined || problems.length > 0) return unreadable('proffer', problems);
  const { observer, runsOwnCalls, reviewOnly, roles: named, subject, worksFor } = written;
  return success({
    ...(spaces ? { spaces } : {}),
    ...(observer === undefined ? {} : { observer }),
    ...(runsOwnCalls === undefined ? {} : { runsOwnCalls }),
    ...(reviewOnly === undefined ? {} : { reviewOnly }),
    ...(named === undefined ? {} : { roles: named }),
    ...(subject === undefined ? {} : { subject }),
    ...(worksFor === undefined ? {} : { worksFor }),
  });
}

/** Parses the claim `macp_scopes`; `undefined` if it is absent. */
export function readMacpScopes(claim: JsonValue | undefined): Result<WrittenFlags | undefined> {
  if (claim === undefined || claim === null) return success(undefined);
  const { problems, report } = createReport();
  const flags = MACP_SCOPES.read(treeOfJson(claim, AT), ['macp_scopes'], report);
  return problems.length > 0 ? unreadable('macp_scopes', problems) : success(flags);
}

const AT = { source: 'JWT', line: 1, column: 1 };

function resolveSpaces(
  grants: ReadonlyMap<string, Grant>,
  { spaces, capabilities }: GatewayConfig,
  report: Report,
) {
  const here = [...grants].filter(([space]) => spaces.has(space));
  return new Map(here.map(([space, granted]) => [space, resolveGrant(granted, capabilities, report)]));
}

function unreadable(claim: string, [problem]: readonly Problem[]) {
  const where = problem === undefined || problem.path === '' ? claim : problem.path;
  return unauthenticated(
    `The claim ${where} of the JWT is invalid: ${problem?.message ?? 'it cannot be read.'}`,
    {
      claim,
      field: where,
    },
  );
}
