import { randomBytes } from 'node:crypto';
import { defined, type JsonObject, type JsonValue } from '@proffer/core/json';
import { formatKind, subjectOf } from '@proffer/core/kind';
import type { ProposalView } from '../proposals/proposal-view.js';

// No letters that look or sound alike: these ids are typed and read aloud.
const ALPHABET = '23456789abcdefghjkmnpqrstuvwxyz';

/** A new id for a proposal, short enough to type: `p-k3f9x-2mq7c`, about 50 random bits. */
export function newProposalId(): string {
  const letters = Array.from(randomBytes(10), (byte) => ALPHABET[byte % ALPHABET.length]).join('');
  return `p-${letters.slice(0, 5)}-${letters.slice(5)}`;
}

/** The optional fields of a proposal. */
export interface ProposalDetails {
  readonly ttl?: number;
  readonly to?: readonly string[];
  readonly reason?: string;
  /** The proposals that have to settle `ok` first (O-37). */
  readonly dependsOn?: readonly string[];
  readonly onFailure?: 'decline' | 'keep';
}

/** `mcp.proposal.METHOD[:CONTEXT]`. */
export function proposalMessage(
  id: string,
  { method, params }: { readonly method: string; readonly params: JsonObject },
  { ttl, to, reason, dependsOn = [], onFailure }: ProposalDetails,
): JsonObject {
  return {
    id,
    kind: kindOf('proposal', method, params),
    ...(to === undefined || to.length === 0 ? {} : { to }),
    payload: {
      method,
      params,
      ...defined({ ttl, reason }),
      ...(dependsOn.length === 0 ? {} : { depends_on: dependsOn }),
      ...defined({ on_failure: onFailure }),
    },
  };
}

/**
 * The request that fulfils a proposal (O-11), with the params to run and what the reviewer was shown (O-35).
 */
export function fulfilmentMessage(
  { id, method }: Pick<ProposalView, 'id' | 'method'>,
  params: JsonObject | undefined,
  { to, shown }: { readonly to: string | undefined; readonly shown?: JsonObject },
): JsonObject {
  const isNotification = method.startsWith('notifications/');
  return {
    kind: kindOf('request', method, params ?? {}),
    correlationId: id,
    ...(to === undefined ? {} : { to: [to] }),
    payload: {
      jsonrpc: '2.0',
      ...(isNotification ? {} : { id: 1 }),
      method,
      ...defined({ params }),
      ...shown,
    },
  };
}

/** `mcpx.reject.proposal` (O-17), of one proposal or several (O-35). */
export function rejectionMessage(
  ids: readonly string[],
  reason: string,
  message: string | undefined,
): JsonObject {
  const payload = { reason, ...defined({ message }) };
  return { kind: 'mcpx.reject.proposal', correlationId: oneOrSeveral(ids), payload };
}

/** `mcpx.status.proposal`, of one proposal or several (O-35). */
export function statusMessage(ids: readonly string[], status: string, message?: string): JsonObject {
  const payload = { status, ...defined({ message }) };
  return { kind: 'mcpx.status.proposal', correlationId: oneOrSeveral(ids), payload };
}

/** `mcpx.renew.proposal`, with the new time left in milliseconds (O-36). */
export function renewalMessage(id: string, ttl: number): JsonObject {
  return { kind: 'mcpx.renew.proposal', correlationId: id, payload: { ttl } };
}

/** `mcpx.counter.proposal` (O-40), about a proposal or another counter-offer. */
export function counterMessage(answers: string, params: JsonObject, reason: string): JsonObject {
  return { kind: 'mcpx.counter.proposal', correlationId: answers, payload: { params, reason } };
}

/** `mcpx.accept.counter` (O-40), for exactly the offer with this digest. */
export function acceptanceMessage(counter: string, digest: string): JsonObject {
  return { kind: 'mcpx.accept.counter', correlationId: counter, payload: { digest } };
}

/** `mcpx.grant.capability` (O-41); the time in milliseconds from now. */
export function grantMessage(
  to: string,
  capabilities: readonly string[],
  bounds: {
    readonly ttl?: number | undefined;
    readonly uses?: number | undefined;
    readonly session?: string | undefined;
    readonly reason?: string | undefined;
  },
): JsonObject {
  const given = Object.entries(bounds).filter(([, value]) => value !== undefined);
  return {
    kind: 'mcpx.grant.capability',
    payload: { to, capabilities, ...(Object.fromEntries(given) as JsonObject) },
  };
}

/** `mcpx.revoke.capability` (O-41). */
export function revocationMessage(grant: string, reason: string | undefined): JsonObject {
  return {
    kind: 'mcpx.revoke.capability',
    correlationId: grant,
    payload: defined({ reason }),
  };
}

/** `mcpx.delegate.review`: about one proposal or all; without a delegate, it takes the delegation back (O-34). */
export function delegationMessage(
  handed: { readonly to: string; readonly until: number } | undefined,
  proposal: string | undefined,
): JsonObject {
  return {
    kind: 'mcpx.delegate.review',
    ...defined({ correlationId: proposal }),
    payload: handed ?? { revoke: true },
  };
}

/** `mcpx.approve.proposal` that takes an approval back (O-29). */
export function takeBackMessage(proposal: string): JsonObject {
  return { kind: 'mcpx.approve.proposal', correlationId: proposal, payload: { revoke: true } };
}

/** `mcpx.withdraw.proposal`, of one proposal or several (O-15). */
export function withdrawalMessage(ids: readonly string[], reason: string | undefined): JsonObject {
  return {
    kind: 'mcpx.withdraw.proposal',
    correlationId: oneOrSeveral(ids),
    payload: defined({ reason }),
  };
}

function oneOrSeveral(ids: readonly string[]): JsonValue {
  return ids.length === 1 ? (ids[0] ?? '') : ids;
}

function kindOf(operation: 'proposal' | 'request', method: string, params: JsonObject): string {
  const context = subjectOf(method, params)?.name;
  return formatKind({ protocol: 'mcp', operation, method, ...defined({ context }) });
}
