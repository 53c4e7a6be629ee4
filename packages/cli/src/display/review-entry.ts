import type { ReviewEntry } from '@proffer/core/operations';
import type { Style } from '../terminal/style.js';
import { formatSpan } from '../terminal/time.js';
import { visible } from '../terminal/visible.js';
import { count } from './count.js';

/** What an entry of a review policy asks for, in words (O-28). */
export function describeEntry(entry: ReviewEntry, style: Style): readonly string[] {
  const { name, approvals, from, veto, escalate } = entry;
  const whose = from.length === 0 ? 'anybody who may make the call' : peopleIn(from);
  const direct = approvals === 1 ? 'They may also make' : 'Nobody may make';
  return [
    `${style.bold(visible(name))} is about this call.`,
    `  It needs ${count(approvals, 'approval')} from ${whose}, never from its proposer.`,
    ...(veto ? ['  One rejection by any of them ends it.'] : []),
    ...escalate.map(({ after, to }) =>
      to.length === 0
        ? `  After ${formatSpan(after)} without a decision, it is declined.`
        : `  After ${formatSpan(after)} without a decision, ${peopleIn(to)} may approve it too.`,
    ),
    `  ${direct} the call without a proposal.`,
  ];
}

function peopleIn(list: readonly string[]): string {
  const names = list.map((name) =>
    name.startsWith('role:') ? `anybody in ${visible(name.slice(5))}` : visible(name),
  );
  const last = names.pop() ?? '';
  return names.length === 0 ? last : `${names.join(', ')} or ${last}`;
}
