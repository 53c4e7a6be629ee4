import { partsOf, similarityOf } from '@proffer/core/approvals';
import type { Proposal } from '@proffer/core/operations';
import { summarise } from '../value/summary.js';

/** An entry of the inbox that can be opened: a proposal, or similar ones together. Its id is in the URL. */
export type InboxEntry =
  | { readonly type: 'proposal'; readonly id: string; readonly proposal: Proposal }
  | { readonly type: 'batch'; readonly id: string; readonly proposals: readonly Proposal[] };

/** A line of the inbox: a heading or an item. */
export type InboxLine =
  | { readonly type: 'heading'; readonly title: string; readonly size: number }
  | InboxEntry;

const BATCH = 'batch ';

/** Identifies calls that are reviewed together; never the id of a proposal, which has no spaces. */
export function batchOf(proposal: Proposal): string {
  const known = batches.get(proposal);
  if (known !== undefined) return known;
  const id = `${BATCH}${similarityOf(proposal)}`;
  batches.set(proposal, id);
  return id;
}

const batches = new WeakMap<Proposal, string>();

/** Whether an id in the URL means a group of similar calls. */
export function isBatch(id: string): boolean {
  return id.startsWith(BATCH);
}

const summaries = new WeakMap<Proposal, string>();

/** What a proposal is about, on one line. */
export function summaryOf(proposal: Proposal): string {
  const before = summaries.get(proposal);
  if (before !== undefined) return before;
  const { given, others } = partsOf(proposal);
  const summary = summarise({ ...given, ...others });
  summaries.set(proposal, summary);
  return summary;
}
