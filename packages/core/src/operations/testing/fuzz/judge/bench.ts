import type { CounterAccepted } from '../../../counter/counter.js';
import type { Approved, Fulfilled } from '../../../records.js';
import { type Call, callIn, digestOf, isSame } from '../call.js';
import { isIn, mayCall, personOf, worksFor } from '../cast.js';
import type { Rule, Scenario } from '../scenario.js';
import { type Case, type Counted, namedCall } from './case.js';
import { isDelegated, type SpaceBook, type When } from './space-book.js';

/** The judge's tools. */
export interface Bench {
  readonly scenario: Scenario;
  readonly book: SpaceBook;
  readonly cases: Map<string, Case>;
}

type Approving = Approved | CounterAccepted | Fulfilled;

/** The first entry for a participant's call. */
export function ruleFor({ rules }: Scenario, call: Call, proposer: string): Rule | undefined {
  return rules.find(({ entry: { proposers }, covers }) => {
    return covers(call) && (proposers.length === 0 || isIn(proposers, proposer));
  });
}

/**
 * Whether an entry names a participant, or the proposal was escalated to it. The call was escalated
 * as proposed.
 */
export function isApprover({ scenario }: Bench, found: Case, { entry }: Rule, name: string): boolean {
  if (entry.from.length === 0 || isIn(entry.from, name)) return true;
  const isAsProposed = ruleFor(scenario, found.call, found.proposer)?.entry === entry;
  return isAsProposed && isIn(found.escalatedTo, name);
}

/** Counts an approval, and reports what is wrong with it. */
export function approve(bench: Bench, found: Case, record: Approving, when: When): string | undefined {
  const { envelope, facts } = record;
  const { payload } = envelope;
  if (found.phase !== 'pending') return `${record.principal} approved what was over`;
  if (when.time >= found.expiresAt) return `${record.principal} approved it after its time`;
  const accepted = record.type === 'counter_accepted' ? acceptedCounter(found, record) : undefined;
  if (typeof accepted === 'string') return accepted;
  const by = accepted?.by ?? record.principal;
  const call = accepted?.call ?? namedCall(found, payload);
  if (call === undefined) return `${by} approved what nobody offered`;
  const { digest } = payload;
  if (record.type === 'approved' && !envelope.kind.startsWith('mcp.request.') && digest !== digestOf(call))
    return `${by} approved another digest`;
  if (call.tool !== found.call.tool) return `${by} approved another tool`;
  const { seen } = payload as { readonly seen?: { readonly version?: number } };
  if (seen?.version !== undefined && found.objectedAt > seen.version)
    return `${by} approved what had changed since`;
  if (bench.book.isPaused(when)) return `${by} approved it during a pause`;
  if (found.reservedFor?.includes(by) === false) return `${by} approved what is reserved for others`;
  const { grant } = facts;
  const rests = { ...when, grant: accepted === undefined ? grant : undefined, message: envelope.id };
  const unable = bench.book.mayRun(by, call, rests);
  if (unable !== undefined) return unable;
  const rule = ruleFor(bench.scenario, call, found.proposer);
  const wrong = mayCount(bench, found, { by, call, record, rule, grant: rests.grant }, when);
  if (typeof wrong === 'string') return wrong;
  if (found.executor !== undefined && facts.executor !== found.executor)
    return `${by} approved it for another executor`;
  const unseen = checkExecutor(bench, { record, call, isAccepted: accepted !== undefined }, when);
  if (unseen !== undefined) return unseen;
  found.approvals.push({ by, call, executor: facts.executor, ...wrong });
  found.rejecters.delete(by);
  if (record.type !== 'fulfilled' && record.facts.waitsFor !== undefined) return clear(bench, found, call);
  return undefined;
}

/** Somebody new runs what another one served only if the approver saw that, and is a person. */
function checkExecutor(
  { book }: Bench,
  { record, call, isAccepted }: { record: Approving; call: Call; isAccepted: boolean },
  when: When,
): string | undefined {
  const { executor, insteadOf, alone } = record.facts;
  const { seen } = record.envelope.payload as { readonly seen?: { readonly insteadOf?: string } };
  if (insteadOf === undefined)
    return book.isNew(executor, call.tool, when) ? `nobody saw that ${executor} is new` : undefined;
  const isSeen = seen?.insteadOf === insteadOf && !isAccepted && alone !== true;
  return isSeen ? undefined : `it was not seen that ${executor} takes the place of ${insteadOf}`;
}

function acceptedCounter(
  { counters, proposer }: Case,
  { principal, envelope }: CounterAccepted,
): { readonly by: string; readonly call: Call } | string {
  const counter = counters.find(({ id }) => id === envelope.correlationId);
  if (counter === undefined) return `${principal} accepted a counter-offer that is not there`;
  if (principal !== proposer) return `${principal} accepted for ${proposer}`;
  if (counter.by === proposer) return `${principal} accepted its own counter-offer`;
  return counter.isLive ? counter : `${principal} accepted a counter-offer that was cancelled`;
}

interface Given {
  readonly by: string;
  readonly call: Call;
  readonly record: Approving;
  readonly rule: Rule | undefined;
  readonly grant: string | undefined;
}

/** Whether an approval counts, and as whose part; or why not. */
function mayCount(
  bench: Bench,
  found: Case,
  { by, call, record, rule, grant }: Given,
  when: When,
): string | Pick<Counted, 'part' | 'alone'> {
  const isOwn = by === found.proposer || personOf(by) === personOf(found.proposer);
  if (isOwn && (rule !== undefined || !bench.scenario.settings.selfFulfilment))
    return `${by} approved its own`;
  if (grant !== undefined && (rule !== undefined || by !== found.proposer))
    return `${by} approved it by the grant ${grant}`;
  if (rule === undefined) return { part: by, alone: false };
  const { entry } = rule;
  if (entry.notRequester === true && worksFor(found.proposer) === personOf(by))
    return `${by} is who it is for`;
  const same = found.approvals.filter((each) => isSame(each.call, call));
  if (same.some((each) => personOf(each.by) === personOf(by))) return `${by} approved twice`;
  const { alone, onBehalfOf } = record.facts;
  if (alone === true) return aloneOr(bench, found, { by, call, rule, when });
  if (entry.agents !== undefined && by === 'bot' && entry.approvals === 1) return `${by} is never enough`;
  const part = onBehalfOf?.by ?? by;
  if (part !== by) {
    const isTheirs = isDelegated(found.handed, part, by, when) || bench.book.hasPart(part, by, when);
    if (!isTheirs) return `${by} had nobody's part`;
    if (entry.from.length === 0) return `${part} had no review to delegate`;
    if (personOf(part) === personOf(found.proposer)) return `${part} proposed it`;
    if (entry.notRequester === true && worksFor(found.proposer) === personOf(part))
      return `${part} is who it is for`;
  }
  if (!isApprover(bench, found, rule, part)) return `${part} is not asked by ${entry.name}`;
  if (same.some((each) => personOf(each.part) === personOf(part)))
    return `the part of ${part} was used twice`;
  return { part, alone: false };
}

function aloneOr(
  { book }: Bench,
  { id: about }: Case,
  { by, call, rule, when }: Omit<Given, 'record' | 'rule' | 'grant'> & { rule: Rule; when: When },
): string | Pick<Counted, 'part' | 'alone'> {
  const { agents, name: entry } = rule.entry;
  if (by !== 'bot' || agents === undefined) return `${by} is no agent`;
  if (call.size > 5) return `${by} approved ${call.size} alone`;
  const { perHour } = agents;
  return book.checkAlone(by, { entry, perHour, about, time: when.time }) ?? { part: by, alone: true };
}

/** It is enough, and waits for others. */
function clear(bench: Bench, found: Case, call: Call): string | undefined {
  found.phase = 'approved';
  return isEnough(bench, found, call);
}

/** Whether the approvals of a call meet the policy, or what is missing. */
function isEnough({ scenario }: Bench, found: Case, call: Call): string | undefined {
  const counted = found.approvals.filter((each) => isSame(each.call, call));
  const { entry } = ruleFor(scenario, call, found.proposer) ?? {};
  const needed = entry?.approvals ?? 1;
  if (counted.length < needed && !counted.some(({ alone }) => alone))
    return `it ran with ${counted.length} of ${needed} approvals`;
  const isElsewhere = counted.some(({ executor }) => executor !== counted[0]?.executor);
  if (isElsewhere && entry !== undefined) return 'it was approved for several executors';
  if (entry?.veto !== true || entry.from.length === 0) return undefined;
  const approvers = new Set(counted.map(({ by }) => personOf(by)));
  const vetoer = [...found.rejecters].find(
    (name) =>
      isIn(entry.from, name) &&
      !approvers.has(personOf(name)) &&
      personOf(name) !== personOf(found.proposer) &&
      mayCall(scenario.rights, name, call.tool),
  );
  return vetoer === undefined ? undefined : `it ran though ${vetoer} vetoes ${entry.name}`;
}

/** It ran as proposed, in the name of the granter, and asked nobody (O-41). */
function ranByGrant(bench: Bench, found: Case, record: Fulfilled, when: When): string | undefined {
  const { principal: granter, facts } = record;
  const { grant } = facts;
  if (found.version !== 2 || grant === undefined) return `it ran in the name of ${granter}`;
  const { call, proposer, reservedFor } = found;
  if (bench.book.granterOf(grant) !== granter) return `${granter} did not grant it`;
  if (ruleFor(bench.scenario, call, proposer) !== undefined) return `it ran by ${grant} under a policy`;
  if (reservedFor?.includes(granter) === false) return 'it ran though it is reserved for others';
  const isOwn = personOf(granter) === personOf(proposer);
  if (isOwn && !bench.scenario.settings.selfFulfilment) return `${granter} granted it to itself`;
  if (!mayCall(bench.scenario.rights, granter, call.tool)) return `${granter} may not call ${call.tool}`;
  if (bench.book.isNew(facts.executor, call.tool, when)) return `nobody saw that ${facts.executor} is new`;
  found.approvals.push({ by: granter, part: granter, call, executor: facts.executor, alone: false });
  return bench.book.mayRun(proposer, call, { ...when, grant, message: found.id });
}

/**
 * Something runs: once, in time, approved according to the policy with exactly these params, and
 * after its dependencies.
 */
export function run(bench: Bench, found: Case, record: Fulfilled, when: When): string | undefined {
  const { envelope, facts, principal } = record;
  const call = callIn(envelope.payload['params']);
  found.runs++;
  if (found.runs > 1) return 'it ran twice';
  if (found.phase === 'over') return 'it ran when it was over';
  found.phase = 'over';
  found.ranBy = facts.executor;
  if (when.time >= found.expiresAt) return 'it ran after its time';
  if (found.isVetoed) return 'it ran though it was vetoed';
  if (facts.ranDigest !== digestOf(call) || facts.proposedDigest !== digestOf(found.call))
    return 'the digest is not that of what ran';
  if (bench.book.isPaused(when)) return 'it ran during a pause';
  const ungranted = found.approvals.length === 0 ? ranByGrant(bench, found, record, when) : undefined;
  if (ungranted !== undefined) return ungranted;
  const counted = found.approvals.filter((each) => isSame(each.call, call));
  if (!counted.some(({ by }) => by === principal)) return `it ran in the name of ${principal}`;
  const short = isEnough(bench, found, call);
  if (short !== undefined) return short;
  const hasRule = ruleFor(bench.scenario, call, found.proposer) !== undefined;
  const fixed = hasRule ? counted : counted.filter(({ by }) => by === principal);
  if (fixed.some(({ executor }) => executor !== facts.executor))
    return 'somebody else ran it than was approved';
  for (const before of found.dependsOn) {
    const { outcome, runs } = bench.cases.get(before) ?? {};
    const isLeftOut = found.keeps && found.failed.has(before);
    if (!isLeftOut && (runs !== 1 || outcome !== 'ok')) return `it ran before ${before} was done`;
  }
  return undefined;
}
