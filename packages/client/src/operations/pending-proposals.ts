import { GATEWAY, subjectOf } from '@proffer/core';
import {
  isJsonArray,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  objectOf,
  textOf,
  textsIn,
} from '@proffer/core/json';
import type { AskedReview, Origin, ShownVersion } from '@proffer/core/operations';
import type { Message } from '../connection/message.js';
import type { Welcome } from '../connection/welcome.js';

/** Determines who would run a call, if that is clear. */
interface WouldRun {
  readonly shownOf: (method: string, params: JsonObject | undefined) => ShownVersion;
}

/**
 * The pending proposals of the space, as far as this participant sees them: from the welcome, updated
 * by each later message. If more than a hundred are pending, those that the welcome left out are
 * missing.
 */
export class PendingProposals {
  #proposals = new Map<string, PendingProposal>();
  #knownAt = 0;
  #isComplete = true;

  /** The pending proposals, oldest first. */
  list(): readonly PendingProposal[] {
    return [...this.#proposals.values()];
  }

  /** The pending proposals, each with what is shown of it now: those who know determine who would run it. */
  shown({ shownOf }: WouldRun): readonly PendingProposal[] {
    return this.list().map((proposal) => {
      const { method, params, rejectedBy } = proposal;
      const shown = { rejectedBy, ...shownOf(method, params) };
      return Object.assign({}, proposal, { shown });
    });
  }

  /** Whether a proposal may still be pending, as far as known. */
  mayBePending(id: string, seq: number): boolean {
    return seq > this.#knownAt || !this.#isComplete || this.#proposals.has(id);
  }

  /** Starts again with the gateway's list. */
  begin({ pending, morePending, seq }: Welcome): void {
    this.#proposals = new Map(pending.map(proposalInView).map((proposal) => [proposal.id, proposal]));
    this.#knownAt = seq;
    this.#isComplete = morePending === 0;
  }

  /** Messages already included in the welcome change nothing. */
  take(message: Message): void {
    const { seq, kind, correlationId } = message;
    if (seq === undefined || seq <= this.#knownAt) return;
    if (kind.startsWith('mcp.proposal.')) {
      if (!isGranted(message)) this.#proposals.set(message.id, proposalInMessage(message));
      return;
    }
    if (typeof correlationId !== 'string') return;
    const proposal = this.#proposals.get(correlationId);
    if (proposal === undefined) return;
    if (ends(proposal, message)) this.#proposals.delete(proposal.id);
    else if (kind === 'mcpx.reject.proposal' && !proposal.rejectedBy.includes(message.from))
      this.#proposals.set(proposal.id, { ...proposal, rejectedBy: [...proposal.rejectedBy, message.from] });
  }
}

function ends(proposal: PendingProposal, message: Message): boolean {
  const { kind, from, payload } = message;
  if (kind.startsWith('mcp.request.')) return isFulfilment(proposal, message);
  if (kind === 'mcpx.withdraw.proposal') return true;
  // Approved, it only waits for others (O-37).
  if (kind === 'mcpx.approve.proposal') return payload['waitsFor'] !== undefined;
  if (kind !== 'system.notice' || from !== GATEWAY) return false;
  return payload['notice'] === 'expired' || (payload['notice'] === 'declined' && payload['final'] === true);
}

/** The targeting of a proposal, normalised (O-20). */
export type ProposalTargeting = {
  readonly preferred: readonly string[];
  readonly exclusive: boolean;
  /** Whether anyone may take it if the preferred do not. */
  readonly fallback: boolean;
};

/** A pending proposal. */
export type PendingProposal = {
  readonly id: string;
  readonly proposer: string;
  readonly to: readonly string[];
  readonly method: string;
  readonly params?: JsonObject;
  readonly targeting?: ProposalTargeting;
  /** Who runs it, if the proposer says so, such as the proposer itself (O-26). */
  readonly executor?: string;
  /** On whose behalf it is made, if the proposer says so. */
  readonly origin?: Origin;
  /** The proposals that must settle `ok` before it runs (O-37). */
  readonly dependsOn?: readonly string[];
  /** What the space's policy requires: how many approvals, and whose (O-28). */
  readonly review?: AskedReview;
  /** Who rejected it so far. */
  readonly rejectedBy: readonly string[];
  /** What is shown of it now: passed with an approval, it counts only if that is unchanged (O-35). */
  readonly shown?: ShownVersion;
};

/** The other fields of a proposal, in its message and in its view. */
function besides(
  { depends_on: ids, review, executor }: JsonObject,
  dependencies: JsonValue | undefined,
): Pick<PendingProposal, 'dependsOn' | 'review' | 'executor'> {
  const before = isJsonObject(dependencies) ? dependencies['waitsFor'] : ids;
  return {
    ...(isJsonArray(before) && before.length > 0 ? { dependsOn: textsIn(before) } : {}),
    ...(isJsonObject(review) ? { review: review as AskedReview } : {}),
    ...(typeof executor === 'string' ? { executor } : {}),
  };
}

/** Whether a grant lets a proposal run at once, without a decision (O-41). */
export function isGranted({ payload }: Pick<Message, 'payload'>): boolean {
  return payload['grant'] !== undefined;
}

/** Reads a proposal from its message. */
export function proposalInMessage({ id, from, to = [], payload }: Message): PendingProposal {
  const { method, params, targeting, origin } = payload;
  const given = objectOf(targeting);
  const preferred = given['preferred'] === undefined ? to : textsIn(given['preferred']);
  return {
    id,
    proposer: from,
    to,
    method: textOf(method),
    ...(isJsonObject(params) ? { params } : {}),
    ...(isJsonObject(origin) ? { origin } : {}),
    ...besides(payload, undefined),
    rejectedBy: [],
    ...(preferred.length === 0
      ? {}
      : {
          targeting: {
            preferred,
            exclusive: given['exclusive'] === true,
            fallback: given['fallback_to_broadcast'] !== false,
          },
        }),
  };
}

/** Reads a proposal from the welcome. */
function proposalInView(view: JsonObject): PendingProposal {
  const { id, proposer, to, method, params, targeting, origin } = view;
  return {
    id: textOf(id),
    proposer: textOf(proposer),
    to: textsIn(to),
    method: textOf(method),
    ...(isJsonObject(params) ? { params } : {}),
    ...(isJsonObject(origin) ? { origin } : {}),
    ...besides(view, view['dependencies']),
    rejectedBy: isJsonObject(view['rejections']) ? Object.keys(view['rejections']) : [],
    ...(isJsonObject(targeting)
      ? {
          targeting: {
            preferred: textsIn(targeting['preferred']),
            exclusive: targeting['exclusive'] === true,
            fallback: targeting['fallback'] !== false,
          },
        }
      : {}),
  };
}

/** Whether a proposal names a participant, in `to` or in its targeting. */
export function isAddressedTo({ to, targeting }: PendingProposal, name: string): boolean {
  return to.includes(name) || targeting?.preferred.includes(name) === true;
}

/** Whether a request that refers to a proposal fulfils it: it asks for the same thing (O-11). */
export function isFulfilment(
  { method, params }: Pick<PendingProposal, 'method' | 'params'>,
  { payload }: Message,
): boolean {
  if (payload['method'] !== method) return false;
  return subjectOf(method, payload['params'])?.name === subjectOf(method, params)?.name;
}
