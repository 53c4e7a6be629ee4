import type { Envelope } from '../../envelope/envelope.js';
import { quote } from '../../json/describe.js';
import { isJsonArray, type JsonObject } from '../../json/json.js';
import { type Refusal, refuse } from '../../refusal/refusal.js';
import type { ProposalContext } from '../context.js';
import type { Proposal } from '../proposal/proposal.js';
import type { Proposed } from '../records.js';

/** How a failed dependency ended. */
export type FailedOutcome = 'error' | 'withdrawn' | 'expired' | 'declined';

export type FailedDependency = { readonly dependency: string; readonly outcome: FailedOutcome };

/** The dependencies of a proposal (O-37). */
export type Dependencies = {
  /** The proposals that have not settled `ok` yet. */
  readonly waitsFor: readonly string[];
  /** What a failed dependency does: ends the proposal, or leaves it to be decided without it. */
  readonly onFailure: 'decline' | 'keep';
  /** The dependencies that failed and no longer count. */
  readonly failed: readonly FailedDependency[];
};

/**
 * The approval that met the policy of a proposal that still waits for others (O-37): what runs then,
 * and why it may.
 */
export type Cleared = {
  /** In whose name it runs. */
  readonly by: string;
  /** The approving message. */
  readonly approval: string;
  readonly at: number;
  readonly params?: JsonObject | undefined;
  /** The addressees of the request: the fixed executor, or several. */
  readonly to: readonly string[];
  /** What its fulfilment record says it was based on. */
  readonly rested: JsonObject;
};

/** The result of a dependency, as far as it is certain. */
export function outcomeOf(
  id: string,
  { durableOf, space }: Pick<ProposalContext, 'durableOf' | 'space'>,
): 'ok' | 'waiting' | FailedOutcome {
  return outcomeIn(durableOf?.(id) ?? space.proposals.get(id));
}

/** The proposal settled `ok`, it failed, or that is not certain yet. */
function outcomeIn(proposal: Proposal | undefined): 'ok' | 'waiting' | FailedOutcome {
  switch (proposal?.phase) {
    case 'settled':
      // An unknown outcome may still become known (O-23).
      return proposal.outcome?.result === 'unknown' ? 'waiting' : (proposal.outcome?.result ?? 'waiting');
    case 'fulfilled':
    case 'allowed':
      // A notification has no answer: it is done when it is sent.
      return proposal.fulfilment?.answerBy === undefined ? 'ok' : 'waiting';
    case 'withdrawn':
    case 'expired':
    case 'declined':
      return proposal.phase;
    default:
      return 'waiting';
  }
}

/** The proposals that this one still waits for. */
export function waitsFor({ dependencies }: Pick<Proposal, 'dependencies'>): readonly string[] {
  return dependencies?.waitsFor ?? NOTHING;
}

const NOTHING: readonly string[] = [];

type Facts = Pick<Proposed['facts'], 'dependencies'>;

const NONE: Facts = {};

/**
 * What a new proposal depends on (O-37), without what has already settled `ok`. Refuses an unknown
 * id, one that its proposer cannot see, and its own: with the same message, so that no one learns
 * what is hidden from them.
 */
export function checkDependencies(
  envelope: Envelope,
  context: ProposalContext,
): Facts | { readonly refused: Refusal } {
  const { space, seesProposal = always } = context;
  const { depends_on: ids, on_failure: onFailure } = envelope.payload;
  if (!isJsonArray(ids)) return NONE;
  const waitsFor: string[] = [];
  for (const id of ids as readonly string[]) {
    const dependency = id === envelope.id ? undefined : space.proposals.get(id);
    if (dependency === undefined || !seesProposal(dependency)) return { refused: refuseUnknown(id) };
    if (outcomeOf(id, context) !== 'ok') waitsFor.push(id);
  }
  return { dependencies: { waitsFor, ...(onFailure === 'keep' ? { onFailure } : {}) } };
}

const always = (): boolean => true;

function refuseUnknown(id: string): Refusal {
  const field = 'payload.depends_on';
  const sentence = `${field} names ${quote(id)}, but there is no earlier proposal with that id.`;
  return refuse('unknown_dependency', sentence, { field, found: id });
}
