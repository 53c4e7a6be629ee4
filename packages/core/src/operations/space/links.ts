import { VersionedMap } from '../../collections/versioned-map.js';
import { uncountedIn } from '../agreements/evolve-agreements.js';
import { waitsFor } from '../dependencies/dependency.js';
import { NO_GRANTS } from '../grants/grant.js';
import type { ParticipantState } from '../participant.js';
import type { Proposal } from '../proposal/proposal.js';

/** Maps something to the proposals that depend on it. */
export type Links = VersionedMap<VersionedMap<true>>;

/** The shared empty list, so that two of them compare as identical. */
export const NOBODY: readonly string[] = [];

/** Not a participant's name: a call that was agreed on waits for whoever may run or approve it (O-53). */
export const ANYBODY = '';

const EVERYBODY: readonly string[] = [ANYBODY];

/**
 * Whose presence matters for a proposal: those it is reserved for while it is pending (O-20), its
 * executor and its approver while it waits for others (O-37), then the executor (O-23), unless that is the proposer
 * itself (O-46).
 */
export function awaitedBy(proposal: Proposal): readonly string[] {
  const { targeting, cleared, agreements } = proposal;
  if (proposal.phase === 'pending') {
    if (agreements !== undefined && uncountedIn(proposal).length > 0) return EVERYBODY;
    return targeting?.exclusive === true && !proposal.opened ? targeting.preferred : NOBODY;
  }
  if (proposal.phase === 'approved' && cleared !== undefined)
    return [...new Set([cleared.by, ...cleared.to])];
  const executor = proposal.phase === 'fulfilled' ? proposal.fulfilment?.executor : undefined;
  return executor === undefined ? NOBODY : [executor];
}

/** The proposals whose end matters to a proposal (O-37). None once it is finally decided. */
export function dependenciesOf(proposal: Proposal): readonly string[] {
  return proposal.phase === 'pending' || proposal.phase === 'approved' ? waitsFor(proposal) : NOBODY;
}

/** The links after a proposal's dependencies changed. */
export function relink(
  links: Links,
  proposal: string,
  { from, to }: { readonly from: readonly string[]; readonly to: readonly string[] },
): Links {
  if (sameNames(from, to)) return links;
  let next = links;
  for (const name of from) {
    const rest = next.get(name)?.delete(proposal);
    next = rest === undefined || rest.size === 0 ? next.delete(name) : next.set(name, rest);
  }
  for (const name of to) next = next.set(name, (next.get(name) ?? VersionedMap.empty()).set(proposal, true));
  return next;
}

/** The delegators of each delegate, after a participant's record. */
export function relinkDelegate(
  delegators: VersionedMap<readonly string[]>,
  { name, delegation }: ParticipantState,
  before: ParticipantState | undefined,
): VersionedMap<readonly string[]> {
  const [from, to] = [before?.delegation?.to, delegation?.to];
  if (from === to) return delegators;
  let next = delegators;
  if (from !== undefined) {
    const others = (next.get(from) ?? NOBODY).filter((other) => other !== name);
    next = others.length === 0 ? next.delete(from) : next.set(from, others);
  }
  return to === undefined ? next : next.set(to, [...(next.get(to) ?? NOBODY), name].sort());
}

function sameNames(left: readonly string[], right: readonly string[]): boolean {
  return left.length === right.length && left.every((name, index) => name === right[index]);
}

/** Maps a message to the proposal, or the participant, it is about. */
type Owners = VersionedMap<string>;

/** Answers to the fulfilment find the proposal. The first to use an id keeps it. */
export function linkFulfilment(
  fulfilments: Owners,
  { id, fulfilment }: Proposal,
  before: Proposal | undefined,
): Owners {
  if (fulfilment === undefined || fulfilment === before?.fulfilment) return fulfilments;
  return fulfilments.has(fulfilment.request) ? fulfilments : fulfilments.set(fulfilment.request, id);
}

/** Answers to a counter-offer find the proposal by it. Counter-offers are only ever added. */
export function linkCounters(
  counters: Owners,
  { id, counters: all }: Proposal,
  before: Proposal | undefined,
): Owners {
  const known = before?.counters.length ?? 0;
  if (all.length === known) return counters;
  return all.slice(known).reduce((next, counter) => next.set(counter.id, id), counters);
}

/** Maps a grant to its holder. */
export function linkGrants(
  grants: Owners,
  { name, grants: now }: ParticipantState,
  before: ParticipantState | undefined,
): Owners {
  const known = before?.grants ?? NO_GRANTS;
  if (now === known) return grants;
  const rest = known.reduce((next, { id }) => next.delete(id), grants);
  return now.reduce((next, { id }) => next.set(id, name), rest);
}
