import type { Proposal } from '@proffer/core/operations';

/** A line of the history: a day, or a proposal. */
export type HistoryLine =
  | { readonly type: 'day'; readonly title: string; readonly size: number }
  | { readonly type: 'proposal'; readonly proposal: Proposal };

/** Proposals by the day of their last change in the reader's time zone, the newest first. */
export function byDay(proposals: readonly Proposal[], now: number): readonly HistoryLine[] {
  const days = new Map<string, Proposal[]>();
  for (const proposal of proposals.toSorted((left, right) => right.changedAt - left.changedAt)) {
    const title = dayOf(proposal.changedAt, now);
    const day = days.get(title);
    if (day === undefined) days.set(title, [proposal]);
    else day.push(proposal);
  }
  const lines: HistoryLine[] = [];
  for (const [title, members] of days) {
    lines.push({ type: 'day', title, size: members.length });
    for (const proposal of members) lines.push({ type: 'proposal', proposal });
  }
  return lines;
}

/** The name of a day: `Today`, `Yesterday`, or its date. */
export function dayOf(moment: number, now: number): string {
  const day = new Date(moment);
  const before = new Date(now);
  if (isSameDay(day, before)) return 'Today';
  before.setDate(before.getDate() - 1);
  if (isSameDay(day, before)) return 'Yesterday';
  return day.toLocaleDateString(undefined, {
    weekday: 'long',
    day: 'numeric',
    month: 'long',
    year: 'numeric',
  });
}

function isSameDay(left: Date, right: Date): boolean {
  return left.toDateString() === right.toDateString();
}
