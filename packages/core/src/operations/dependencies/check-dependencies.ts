import type { Envelope } from '../../envelope/envelope.js';
import { quote } from '../../json/describe.js';
import { isJsonArray } from '../../json/json.js';
import { type Refusal, refuse } from '../../refusal/refusal.js';
import type { ProposalContext } from '../context.js';
import type { Proposed } from '../records.js';
import { outcomeOf } from './dependency.js';

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
