import { correlationIds, type Envelope } from '../../envelope/envelope.js';
import { type ServedList, subjectOf } from '../../envelope/kind.js';
import {
  type ProposalKindCommand,
  type RouteOfKind,
  routeOfKind,
  type SpaceCommand,
} from '../../envelope/kind-table.js';
import { quote } from '../../json/describe.js';
import { isJsonArray } from '../../json/json.js';
import { type Refusal, refuse } from '../../refusal/refusal.js';
import type { Proposal } from '../proposal/proposal.js';
import { proposalFulfilledBy, type SpaceState } from '../space/space.js';

/** What decides a message. */
export type MessageRoute =
  /** A request that fulfils a proposal must refer only to it; a response answers one request. */
  | { readonly entity: 'none'; readonly refused: Refusal }
  | { readonly entity: 'proposal'; readonly command: MessageCommand; readonly proposals: readonly string[] }
  | { readonly entity: 'space'; readonly command: SpaceCommand }
  | { readonly entity: 'participant'; readonly announces?: ServedList };

/** The command that a message is for a proposal: by its kind, or by what it refers to. */
export type MessageCommand = ProposalKindCommand | 'fulfil' | 'answer';

/**
 * Whether the sender of a message may see a proposal; one that it may not see does not exist for it
 * (O-43).
 */
export type Sees = (proposal: Proposal) => boolean;

/** Finds what decides a message. For requests and responses that depends on the space's history. */
export function routeMessage(space: SpaceState, envelope: Envelope, sees: Sees = () => true): MessageRoute {
  const route = routeOfKind(envelope.kind);
  switch (route.entity) {
    case 'request':
      return routeRequest(space, envelope, sees);
    case 'response':
      return routeResponse(space, envelope);
    case 'proposal':
      return routeToProposal(space, envelope, route);
    case 'space':
    case 'participant':
      return route;
  }
}

function routeToProposal(
  space: SpaceState,
  envelope: Envelope,
  { command, ids, otherwise }: Extract<RouteOfKind, { entity: 'proposal' }>,
): MessageRoute {
  if (ids === 'own') return about(command, [envelope.id]);
  const named = correlationIds(envelope);
  if (named.length === 0 && otherwise !== undefined) return { entity: 'space', command: otherwise };
  return about(command, ids === 'countered' ? countered(space, named) : named);
}

/**
 * The proposals that must be in memory before a message can be decided: those it names, for a new proposal whatever
 * already has its id and what it depends on (O-37), and for an answer those whose fulfilments it names, too. A host that
 * evicts finished proposals reloads these first.
 */
export function proposalsNamedBy(space: SpaceState, envelope: Envelope): readonly string[] {
  const ids = correlationIds(envelope);
  if (envelope.kind.startsWith('mcp.response')) {
    const fulfilled: string[] = [];
    for (const id of ids) {
      const proposal = proposalFulfilledBy(space, id);
      if (proposal !== undefined) fulfilled.push(proposal);
    }
    // A late report names its proposal, too: the request may be forgotten (O-46).
    return ids.length > 1 ? [...fulfilled, ...ids] : fulfilled;
  }
  if (!envelope.kind.startsWith('mcp.proposal.')) return ids;
  const { depends_on: before } = envelope.payload;
  const named = ids.length === 0 ? [envelope.id] : [envelope.id, ...ids];
  return isJsonArray(before) ? [...named, ...(before as readonly string[])] : named;
}

/** A request fulfils the one proposal it refers to if it asks for the same thing (O-11). */
function routeRequest(space: SpaceState, envelope: Envelope, sees: Sees): MessageRoute {
  const ids = correlationIds(envelope);
  const fulfilled = ids.filter((id) => {
    const proposal = space.proposals.get(id);
    return proposal !== undefined && sees(proposal) && isSameOperation(proposal, envelope);
  });
  if (fulfilled.length === 0) return { entity: 'participant' };
  return ids.length === 1
    ? about('fulfil', fulfilled)
    : { entity: 'none', refused: refuseSeveral(ids, fulfilled) };
}

function refuseSeveral(found: readonly string[], fulfilled: readonly string[]): Refusal {
  const named = fulfilled.map(quote).join(', ');
  return refuse('invalid_field', `The request would fulfil ${named}, but also refers to other messages.`, {
    field: 'correlationId',
    found,
    expected: 'the one proposal that it fulfils',
  });
}

function isSameOperation(proposal: Proposal, { payload }: Envelope): boolean {
  if (payload['method'] !== proposal.method) return false;
  return subjectOf(proposal.method, payload['params'])?.name === proposal.subject?.name;
}

function routeResponse(space: SpaceState, envelope: Envelope): MessageRoute {
  const ids = correlationIds(envelope);
  const answered: string[] = [];
  let proposal = '';
  for (const id of ids) {
    const fulfilled = proposalFulfilledBy(space, id);
    if (fulfilled === undefined) continue;
    answered.push(id);
    proposal = fulfilled;
  }
  if (answered.length === 0) return { entity: 'participant' };
  if (answered.length > 1) return { entity: 'none', refused: refuseSeveralAnswers(ids, answered) };
  // Other ids belong to related messages.
  return about('answer', [proposal]);
}

function refuseSeveralAnswers(found: readonly string[], answered: readonly string[]): Refusal {
  const named = answered.map(quote).join(', ');
  return refuse('invalid_field', `The response would answer several requests (${named}).`, {
    field: 'correlationId',
    found,
    expected: 'the one request that it answers',
  });
}

/** The proposals that these ids are about; a counter-offer is about its proposal (O-40). */
function countered(space: SpaceState, ids: readonly string[]): readonly string[] {
  return ids.map((id) => space.counters.get(id) ?? id);
}

function about(command: MessageCommand, proposals: readonly string[]): MessageRoute {
  return { entity: 'proposal', command, proposals };
}
