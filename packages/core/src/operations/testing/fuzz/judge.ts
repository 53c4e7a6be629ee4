import type { JsonObject } from '../../../json/json.js';
import { isProposalRecord, type OperationRecord, type Proposed } from '../../records.js';
import type { ReviewEntry } from '../../review/policy.js';
import { personOf, rolesOf, WORKS_FOR } from './scenario.js';

/** What the judge keeps of a proposal. It reads messages, and of the facts only what nobody else could know. */
interface Case {
  readonly id: string;
  readonly proposer: string;
  readonly dependsOn: readonly string[];
  readonly keeps: boolean;
  readonly proposed: string;
  expiresAt: number;
  /** By approver: for which call, and for whom. */
  approvals: { by: string; part: string; call: string; executor: unknown; alone: boolean }[];
  readonly escalatedTo: string[];
  readonly delegations: Map<string, { to: string; until: number }>;
  readonly failed: Set<string>;
  /** Those whose no ends it. */
  vetoed: boolean;
  runs: number;
  outcome?: 'ok' | 'error';
}

const HOUR = 3_600_000;

/** Reads a journal from beginning to end, and says what should not have happened. Knows nothing of how core decides. */
export function judge(journal: readonly OperationRecord[], entry: ReviewEntry): string | undefined {
  const cases = new Map<string, Case>();
  const delegations = new Map<string, { to: string; until: number }>();
  const alone: { by: string; at: number; proposal: string }[] = [];
  const isApprover = (name: string, { escalatedTo }: Case): boolean => {
    if (entry.from.length === 0) return true;
    const asked = new Set([...entry.from, ...escalatedTo]);
    return asked.has(name) || rolesOf(name).some((role) => asked.has(`role:${role}`));
  };
  for (const record of journal) {
    const { principal, envelope, time } = record;
    const { payload } = envelope;
    if (record.type === 'delegated') {
      if (payload['revoke'] === true) delegations.delete(principal);
      else delegations.set(principal, { to: payload['to'] as string, until: Number(payload['until']) });
    }
    if (!isProposalRecord(record)) continue;
    const { proposal } = record.facts;
    if (record.type === 'proposed') {
      cases.set(proposal, begin(record));
      continue;
    }
    const found = cases.get(proposal);
    if (found === undefined) return `${proposal}: ${record.type} before it was proposed`;
    switch (record.type) {
      case 'escalated':
        found.escalatedTo.push(...((payload['to'] as string[]) ?? []));
        break;
      case 'review_delegated':
        if (payload['revoke'] === true) found.delegations.delete(principal);
        else
          found.delegations.set(principal, { to: payload['to'] as string, until: Number(payload['until']) });
        break;
      case 'rejected': {
        const person = personOf(principal);
        found.approvals = found.approvals.filter(
          ({ by, part }) => personOf(by) !== person && personOf(part) !== person,
        );
        const isNo = payload['reason'] !== 'busy';
        if (entry.veto && isNo && isApprover(principal, found) && personOf(found.proposer) !== person)
          found.vetoed = true;
        break;
      }
      case 'dependency_failed':
        found.failed.add(payload['dependency'] as string);
        if (payload['reopened'] === true) found.approvals = [];
        break;
      case 'answered':
        found.outcome = payload['error'] === undefined ? 'ok' : 'error';
        break;
      case 'approved': {
        const wrong = approve(found, { by: principal, payload, time, facts: record.facts });
        if (wrong !== undefined) return `${proposal}: ${wrong}`;
        break;
      }
      case 'fulfilled': {
        const isOwnRequest = !envelope.id.startsWith('system:');
        if (isOwnRequest) {
          const wrong = approve(found, { by: principal, payload, time, facts: record.facts });
          if (wrong !== undefined) return `${proposal}: ${wrong}`;
        }
        const wrong = ran(found, { call: callOf(payload, found), time, executor: record.facts.executor });
        if (wrong !== undefined) return `${proposal}: ${wrong}`;
        break;
      }
    }
  }
  return undefined;

  function approve(
    found: Case,
    { by, payload, time, facts }: { by: string; payload: JsonObject; time: number; facts: JsonObject },
  ): string | undefined {
    if (personOf(by) === personOf(found.proposer)) return `${by} approved its own`;
    if (entry.notRequester === true && WORKS_FOR[found.proposer] === personOf(by))
      return `${by} is who it is for`;
    const call = callOf(payload, found);
    const isAlone = facts['alone'] === true;
    let part = by;
    if (isAlone) {
      if (by !== 'bot' || entry.agents === undefined) return `${by} is no agent`;
      if (Number(call) > 5) return `${by} approved ${call} alone`;
      // Approved again after it was reopened, a call counts once.
      const lately = alone.filter((use) => use.by === by && time - use.at < HOUR);
      const calls = new Set([...lately.map((use) => use.proposal), found.id]);
      if (calls.size > entry.agents.perHour) return `${by} approved ${calls.size} alone in an hour`;
      alone.push({ by, at: time, proposal: found.id });
    } else if (!isApprover(by, found)) {
      part = ((facts['onBehalfOf'] as JsonObject | undefined)?.['by'] as string | undefined) ?? '';
      const handed = [found.delegations.get(part), delegations.get(part)];
      if (!handed.some((one) => one?.to === by && time < one.until)) return `${by} had nobody's part`;
      if (!isApprover(part, found)) return `${part} had no part to hand over`;
      if (personOf(part) === personOf(found.proposer)) return `${part} proposed it`;
      if (entry.notRequester === true && WORKS_FOR[found.proposer] === personOf(part))
        return `${part} is who it is for`;
    }
    const same = found.approvals.filter((each) => each.call === call);
    if (same.some((each) => personOf(each.by) === personOf(by))) return `${by} approved twice`;
    if (same.some((each) => personOf(each.part) === personOf(part)))
      return `the part of ${part} was used twice`;
    found.approvals.push({ by, part, call, executor: facts['executor'], alone: isAlone });
    return undefined;
  }

  function ran(
    found: Case,
    { call, time, executor }: { call: string; time: number; executor: unknown },
  ): string | undefined {
    found.runs++;
    if (found.runs > 1) return 'it ran twice';
    if (time >= found.expiresAt) return 'it ran after its time';
    if (found.vetoed) return 'it ran though it was vetoed';
    const counted = found.approvals.filter((each) => each.call === call);
    const isEnough = counted.length >= entry.approvals || counted.some((each) => each.alone);
    if (!isEnough) return `it ran with ${counted.length} of ${entry.approvals} approvals`;
    if (counted.some((each) => each.executor !== executor)) return 'somebody else ran it than was approved';
    for (const before of found.dependsOn) {
      const { outcome, runs } = cases.get(before) ?? {};
      const isLeftOut = found.keeps && found.failed.has(before);
      if (!isLeftOut && (runs !== 1 || outcome !== 'ok')) return `it ran before ${before} was done`;
    }
    return undefined;
  }
}

function begin({ envelope, principal: proposer, time, facts }: Proposed): Case {
  const { payload } = envelope;
  const { ttl, depends_on: dependsOn, on_failure: onFailure } = payload;
  return {
    id: facts.proposal,
    proposer,
    dependsOn: (dependsOn as readonly string[] | undefined) ?? [],
    keeps: onFailure === 'keep',
    proposed: sizeIn(payload['params']),
    expiresAt: typeof ttl === 'number' ? time + ttl : Number.POSITIVE_INFINITY,
    approvals: [],
    escalatedTo: [],
    delegations: new Map(),
    failed: new Set(),
    vetoed: false,
    runs: 0,
  };
}

/** Which call a message is about: calls differ by one number alone. */
function callOf({ params }: JsonObject, { proposed }: Case): string {
  return params === undefined ? proposed : sizeIn(params);
}

function sizeIn(params: unknown): string {
  return JSON.stringify(((params as JsonObject)['arguments'] as JsonObject)['size']);
}
