import { partsOf } from '@proffer/core/approvals';
import type { Proposal } from '@proffer/core/operations';
import { nameOf } from '../space/tools.js';

/** How many characters of very long arguments are searched. */
const LONGEST = 20_000;

/** Whether all words of a search are in a proposal: proposer, tool and arguments. */
export function isFound(proposal: Proposal, search: string): boolean {
  const words = search.toLowerCase().split(/\s+/).filter(Boolean);
  return words.every((word) => textOf(proposal).includes(word));
}

const texts = new WeakMap<Proposal, string>();

function textOf(proposal: Proposal): string {
  const before = texts.get(proposal);
  if (before !== undefined) return before;
  const { proposer, id } = proposal;
  const given = JSON.stringify(partsOf(proposal)).slice(0, LONGEST);
  const text = `${proposer} ${nameOf(proposal)} ${id} ${given}`.toLowerCase();
  texts.set(proposal, text);
  return text;
}
