import { isProposalRecord, type ParticipantRecord, type ProposalRecord } from '../../../records.js';
import { callIn } from '../call.js';
import { isIn, isReviewOnly, mayCall, personOf } from '../cast.js';
import { COUNTER_ROUNDS, DEDUP_WINDOW, type Scenario } from '../scenario.js';
import type { Written } from '../two-gateways.js';
import { approve, type Bench, isApprover, ruleFor, run } from './bench.js';
import { type Case, cancelCounters, openCase, takeBack } from './case.js';
import { hand, SpaceBook, type When } from './space-book.js';

/**
 * Reads a journal from start to end, and reports what should not have happened. Knows nothing of how
 * core decides.
 */
export function judge(journal: readonly Written[], scenario: Scenario): string | undefined {
  const book = new SpaceBook(scenario.rights);
  const bench: Bench = { scenario, book, cases: new Map() };
  const calls = new Map<string, number>();
  for (const [place, { record, known }] of journal.entries()) {
    const when = { place, known, time: record.time };
    if (!isProposalRecord(record)) {
      const wrong = book.read(record, place) ?? judgeMessage(bench, record, { ...when, calls });
      if (wrong !== undefined) return wrong;
      continue;
    }
    const wrong = judgeAbout(bench, record, when);
    if (wrong !== undefined) return `${record.facts.proposal}: ${wrong} (${record.type}, record ${place})`;
  }
  return undefined;
}

/** A request without a proposal: no policy may require more than its sender, and it runs once. */
function judgeMessage(
  { scenario, book }: Bench,
  { type, envelope, principal: by, facts }: ParticipantRecord,
  { calls, ...when }: When & { readonly calls: Map<string, number> },
): string | undefined {
  if (type !== 'said' || !envelope.kind.startsWith('mcp.request.')) return undefined;
  const before = calls.get(envelope.id);
  if (before !== undefined && when.time - before < DEDUP_WINDOW) return `${envelope.id} ran twice`;
  calls.set(envelope.id, when.time);
  const call = callIn(envelope.payload['params']);
  if (isReviewOnly(by)) return `${by} may only review, and called ${call.tool}`;
  const rule = ruleFor(scenario, call, by);
  const isAgent = rule?.entry.agents !== undefined && by === 'bot';
  const isEnough = rule === undefined || (rule.entry.approvals === 1 && isNamed(rule.entry.from, by));
  if (!isEnough || isAgent) return `${by} called ${call.tool} unasked, under ${rule?.entry.name}`;
  const { grant } = facts as { readonly grant?: string };
  return book.mayRun(by, call, { ...when, grant, message: envelope.id });
}

function isNamed(from: readonly string[], name: string): boolean {
  return from.length === 0 || isIn(from, name);
}

function judgeAbout(bench: Bench, record: ProposalRecord, when: When): string | undefined {
  const { proposal } = record.facts;
  const { cases } = bench;
  if (record.type === 'proposed') {
    const opened = openCase(record);
    const unknown = opened.dependsOn.find((id) => !cases.has(id));
    if (cases.has(proposal)) return 'it was proposed twice';
    cases.set(proposal, opened);
    return unknown === undefined ? undefined : `it depends on ${unknown}, which is not there`;
  }
  const found = cases.get(proposal);
  if (found === undefined) return 'it was not proposed before';
  found.version++;
  return judgeStep(bench, found, record, when);
}

function judgeStep(bench: Bench, found: Case, record: ProposalRecord, when: When): string | undefined {
  const { principal: by, envelope, time } = record;
  const { payload } = envelope;
  const isOver = found.phase === 'over';
  switch (record.type) {
    case 'approved':
    case 'counter_accepted':
      return approve(bench, found, record, when);
    case 'fulfilled': {
      const isOwnRequest = !envelope.id.startsWith('system:');
      const wrong = isOwnRequest ? approve(bench, found, record, when) : undefined;
      return wrong ?? run(bench, found, record, when);
    }
    case 'countered': {
      if (found.phase !== 'pending') return 'it was countered when it was over';
      const call = callIn(payload['params']);
      const person = personOf(by);
      if (by !== found.proposer && !mayCall(bench.scenario.rights, by, call.tool))
        return `${by} offered what it may not do`;
      if (by !== found.proposer) takeBack(found, person);
      cancelCounters(found, person);
      found.counters.push({ id: envelope.id, by, call, isLive: true });
      found.objectedAt = found.version;
      return found.counters.length > COUNTER_ROUNDS ? 'it was countered too often' : undefined;
    }
    case 'rejected':
      return reject(bench, found, by, payload['reason'] !== 'busy');
    case 'escalated': {
      const steps = ruleFor(bench.scenario, found.call, found.proposer)?.entry.escalate ?? [];
      const step = steps[found.escalations++];
      if (step === undefined || time < found.proposedAt + step.after) return 'it escalated too early';
      found.escalatedTo.push(...step.to);
      return isOver ? 'it escalated when it was over' : undefined;
    }
    case 'review_delegated':
      hand(found.handed, { by, payload, place: when.place });
      return undefined;
    case 'renewed':
      if (by !== found.proposer) return `${by} renewed it`;
      if (isOver || time >= found.expiresAt) return 'it was renewed when it was over';
      found.expiresAt = time + Number(payload['ttl']);
      return undefined;
    case 'opened':
      found.reservedFor = undefined;
      return undefined;
    case 'dependency_failed':
      found.failed.add(payload['dependency'] as string);
      if (payload['reopened'] === true) Object.assign(found, { approvals: [], phase: 'pending' });
      return undefined;
    case 'answered':
      if (found.outcome !== undefined) return 'it was answered twice';
      if (by !== found.ranBy) return `${by} answered what ${String(found.ranBy)} runs`;
      found.outcome = payload['error'] === undefined ? 'ok' : 'error';
      return undefined;
    case 'withdrawn':
      if (by !== found.proposer) return `${by} withdrew it`;
      return end(found);
    case 'expired':
      if (time < found.expiresAt) return 'it expired too early';
      return end(found);
    case 'declined':
      return record.facts.final ? end(found) : undefined;
    default:
      return undefined;
  }
}

function end(found: Case): string | undefined {
  if (found.phase === 'over') return 'it ended twice';
  found.phase = 'over';
  return undefined;
}

/** A rejection withdraws its sender's approvals and offers; with a veto, it ends the proposal. */
function reject(bench: Bench, found: Case, by: string, rejectsProposal: boolean): string | undefined {
  const person = personOf(by);
  takeBack(found, person);
  cancelCounters(found, person);
  found.objectedAt = found.version;
  if (!rejectsProposal) return undefined;
  found.rejecters.add(by);
  const rule = ruleFor(bench.scenario, found.call, found.proposer);
  const isOwn = person === personOf(found.proposer);
  const couldApprove = mayCall(bench.scenario.rights, by, found.call.tool) && !isOwn;
  if (rule?.entry.veto === true && couldApprove && isApprover(bench, found, rule, by)) found.isVetoed = true;
  return undefined;
}
