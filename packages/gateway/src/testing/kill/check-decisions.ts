import type { OperationFact, OperationsHistory, ToldRefusal } from './check-operations.js';

/** The ways a proposal can be decided. There is exactly one. */
const ENDS: ReadonlySet<string> = new Set(['fulfilled', 'withdrawn', 'expired', 'declined']);

/** What may still be recorded about a decided proposal. */
const AFTERWARDS: ReadonlySet<string> = new Set(['answered', 'outcome_unknown', 'status_reported']);

/** Expected refusals in a run: it came too late, or too early. */
const EXPECTED: ReadonlySet<string> = new Set(['proposal_not_pending', 'reserved']);

/** A proposal according to the journal. */
interface Story {
  readonly id: string;
  readonly records: readonly OperationFact[];
  readonly end: OperationFact | undefined;
}

/** Checks that every proposal was decided once, by someone allowed to, and that everyone was told. */
export function checkDecisions(history: OperationsHistory): readonly string[] {
  const { clients, proposals, records } = history;
  const byProposal = new Map<string, OperationFact[]>(proposals.map((id) => [id, []]));
  for (const record of records) byProposal.get(record.proposal ?? '')?.push(record);
  const stories = new Map(
    Array.from(byProposal, ([id, about]): readonly [string, Story] => [
      id,
      { id, records: about, end: about.find(isEnd) },
    ]),
  );
  return [
    ...[...stories.values()].flatMap(checkStory),
    ...checkExecution(history),
    ...clients.flatMap(({ name, told }) =>
      told.flatMap((one) => {
        const story = stories.get(one.proposal);
        // It may have been sent before the message it is about was accepted.
        if (one.code === 'unknown_proposal' && story?.records[0]?.principal === name) return [];
        const wrong = checkTold(one, story);
        return wrong === undefined ? [] : [`${name} was told about ${one.id}: ${wrong}`];
      }),
    ),
  ];
}

const isEnd = ({ type, isFinal }: OperationFact): boolean => ENDS.has(type) && isFinal !== false;

function checkStory({ id, records, end }: Story): readonly string[] {
  // Reviewers tried each, it ended on its own, or its proposer withdrew it at the end.
  if (end === undefined) return [`${id} was never decided`];
  const before = records.slice(0, records.indexOf(end));
  const after = records.slice(before.length + 1);
  const [made] = records;
  const isReserved = made?.reservedFor !== undefined && !made.reservedFor.includes(end.principal);
  const approvers = new Set(
    [...before.filter(({ type }) => type === 'approved'), end].map(({ principal }) => principal),
  );
  const isFulfilled = end.type === 'fulfilled';
  return [
    ...(after.some(isEnd) ? [`${id} was decided more than once`] : []),
    ...after
      .filter((record) => !isEnd(record) && !AFTERWARDS.has(record.type))
      .map(({ type, seq }) => `${id} was ${end.type} at ${end.seq}, and ${type} at ${seq}`),
    ...(before.filter(({ type }) => type === 'opened').length > 1 ? [`${id} was opened more than once`] : []),
    ...(isFulfilled && isReserved && !before.some(({ type }) => type === 'opened')
      ? [`${id} was fulfilled by ${end.principal} while it was reserved for ${made.reservedFor.join(', ')}`]
      : []),
    ...(isFulfilled && approvers.size < (made?.needed ?? 1)
      ? [`${id} was fulfilled with ${approvers.size} of ${made?.needed} approvals`]
      : []),
  ];
}

/** What was fulfilled ran once and in its turn, and nothing else did. */
function checkExecution({ clients, executor, records }: OperationsHistory): readonly string[] {
  const fulfilled = records.filter(({ type }) => type === 'fulfilled');
  const ran = clients
    .find(({ name }) => name === executor)
    ?.seen.filter(({ kind }) => kind.startsWith('mcp.request.'))
    .map(({ id }) => id);
  const differs = fulfilled.findIndex(({ id }, index) => ran?.[index] !== id);
  return [
    ...(differs === -1 ? [] : [`${executor} did not run ${fulfilled[differs]?.id} in its turn`]),
    ...((ran?.length ?? 0) > fulfilled.length ? [`${executor} ran something that nobody fulfilled`] : []),
  ];
}

/** What is wrong with the text of a refusal, compared with the journal. */
function checkTold({ code, proposal, state, by }: ToldRefusal, story: Story | undefined): string | undefined {
  if (!EXPECTED.has(code)) return code;
  if (code === 'reserved')
    return story?.records[0]?.reservedFor === undefined ? `${proposal} is reserved` : undefined;
  const end = story?.end;
  // If it is running, or has run, its state says so.
  const isEndedSo = state === end?.type || (end?.type === 'fulfilled' && !ENDS.has(state ?? ''));
  const isBySame = by === undefined || by === end?.principal;
  return isEndedSo && isBySame
    ? undefined
    : `${proposal} is ${state} by ${by ?? 'nobody'}, and it was ${end?.type} by ${end?.principal}`;
}
