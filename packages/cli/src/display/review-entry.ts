import type { AgentLimits, ReviewEntry } from '@proffer/core/operations';
import { count } from '@proffer/core/words';
import type { Style } from '../terminal/style.js';
import { formatSpan } from '../terminal/time.js';
import { visible } from '../terminal/visible.js';

/** What an entry of a review policy requires, in words (O-28). */
export function describeEntry(entry: ReviewEntry, style: Style): readonly string[] {
  const { name, approvals, from, veto, escalate, notRequester, agents } = entry;
  const whose = from.length === 0 ? 'anyone who may make the call' : peopleIn(from);
  const direct = approvals === 1 ? 'They may also make' : 'Nobody may make';
  return [
    `${style.bold(visible(name))} applies to this call.`,
    `  It needs ${count(approvals, 'approval')} from ${whose}, never from its proposer.`,
    ...(notRequester === true ? ['  Nor from the person whom the proposer works for.'] : []),
    ...(agents === undefined ? [] : [describeAgents(agents)]),
    ...(veto ? ['  One rejection by any of them ends it.'] : []),
    ...escalate.map(({ after, to }) =>
      to.length === 0
        ? `  After ${formatSpan(after)} without a decision, it is declined.`
        : `  After ${formatSpan(after)} without a decision, ${peopleIn(to)} may approve it too.`,
    ),
    `  ${direct} the call without a proposal.`,
  ];
}

function describeAgents({ from, perHour, within }: AgentLimits): string {
  const ranges = Object.entries(within).map(([name, { min, max, oneOf }]) =>
    [
      visible(name),
      ...(min === undefined ? [] : [`from ${min}`]),
      ...(max === undefined ? [] : [`up to ${max}`]),
      ...(oneOf === undefined
        ? []
        : [`one of ${oneOf.map((value) => visible(JSON.stringify(value))).join(', ')}`]),
    ].join(' '),
  );
  const only = ranges.length === 0 ? '' : `, with ${ranges.join(' and ')}`;
  return `  ${peopleIn(from)} may approve ${perHour} of them an hour alone${only}.`;
}

function peopleIn(list: readonly string[]): string {
  const names = list.map((name) =>
    name.startsWith('role:') ? `anyone in ${visible(name.slice(5))}` : visible(name),
  );
  const last = names.pop() ?? '';
  return names.length === 0 ? last : `${names.join(', ')} or ${last}`;
}
