import { type Proposal, waitsFor } from '@proffer/core/operations';

/** A step of a plan: a proposal, and those that must be done before it runs. */
export interface PlanStep {
  readonly proposal: Proposal;
  /** The numbers of the steps that it waits for, from 1. */
  readonly after: readonly number[];
}

const NO_PLAN: readonly PlanStep[] = [];

/** The longest plan that is drawn: nobody reads more. */
const MAX_STEPS = 100;

/**
 * The plan that a proposal belongs to (O-37): everything unfinished that it waits for or that waits for it, and so on,
 * each step after those that it waits for. None if it stands alone.
 */
export function planOf(proposal: Proposal, all: Iterable<Proposal>): readonly PlanStep[] {
  const open = new Map<string, Proposal>();
  const neighbours = new Map<string, Set<string>>();
  const link = (from: string, to: string): void => {
    const known = neighbours.get(from) ?? new Set();
    neighbours.set(from, known.add(to));
  };
  for (const each of all) {
    if (each.phase !== 'pending' && each.phase !== 'approved' && each.phase !== 'fulfilled') continue;
    open.set(each.id, each);
    for (const other of waitsFor(each)) {
      link(each.id, other);
      link(other, each.id);
    }
  }
  const members = new Set([proposal.id]);
  for (const id of members)
    for (const other of neighbours.get(id) ?? [])
      if (open.has(other) && members.size < MAX_STEPS) members.add(other);
  return members.size < 2 ? NO_PLAN : inOrder([...members].flatMap((id) => open.get(id) ?? []));
}

/** Each after what it waits for; otherwise in the order in which they were proposed. */
function inOrder(proposals: readonly Proposal[]): readonly PlanStep[] {
  const rest = [...proposals].sort(
    (left, right) => left.proposedAt - right.proposedAt || (left.id < right.id ? -1 : 1),
  );
  const numbers = new Map<string, number>();
  const ids = new Set(proposals.map(({ id }) => id));
  const steps: PlanStep[] = [];
  while (rest.length > 0) {
    const place = rest.findIndex((each) => waitsFor(each).every((id) => !ids.has(id) || numbers.has(id)));
    // A proposal waits for earlier ones only, so there is always a next step.
    const [proposal] = rest.splice(Math.max(place, 0), 1);
    if (proposal === undefined) break;
    const after = waitsFor(proposal).flatMap((id) => numbers.get(id) ?? []);
    steps.push({ proposal, after });
    numbers.set(proposal.id, steps.length);
  }
  return steps;
}

const PLAN = 'plan ';

/** Identifies the plan of a proposal in the URL; never the id of a proposal, which has no spaces. */
export const planId = (proposal: string): string => `${PLAN}${proposal}`;

/** The proposal whose plan an id in the URL means; `undefined` if it means something else. */
export function planAt(id: string | undefined): string | undefined {
  return id?.startsWith(PLAN) === true ? id.slice(PLAN.length) : undefined;
}
