import { authorize } from '../../capability/authorize.js';
import { GATEWAY } from '../../envelope/envelope.js';
import type { HashText } from '../../hash/sha256.js';
import { quote } from '../../json/describe.js';
import { textsIn } from '../../json/fields.js';
import { success } from '../../refusal/refusal.js';
import type { AgreedOutcome } from '../agreements/agreement.js';
import type { DecisionContext, ParticipantRights } from '../context.js';
import { grantById } from '../grants/grant.js';
import type { AssertionCheck } from '../keys/check-assertion.js';
import { isOver, type Proposal } from '../proposal/proposal.js';
import { isProposalRecord, type OperationRecord, streamOf } from '../records.js';
import { spaceSettings } from '../settings.js';
import { agreeInSpace, decideInSpace, reviewInSpace } from '../space/decide-in-space.js';
import { releaseSpaceUntil } from '../space/retention.js';
import { emptySpace, evictProposal, evolveSpace, recallProposal, type SpaceState } from '../space/space.js';
import { couldBeByGateway } from './gateway-record.js';
import { presencesFor } from './presence.js';
import { compileSources, type RulesInForce, rulesInForce, type WrittenRules } from './rules.js';
import { isSameRecord } from './same-record.js';

/** A record as a journal returns it. */
export type JudgedRecord = OperationRecord & { readonly stream: string; readonly version: number };

/** Why a record cannot have come about by the rules. */
export interface Misjudged {
  /**
   * `refused`: by the rules its message was to be refused; `code` says why. `different`: by the rules the record would say
   * something else. `unfounded`: nothing gave the gateway a reason for it. `omitted`: what had to follow the record before
   * it is not there. `misplaced`: it is not in the stream that it is about. `delayed`: it holds if its gateway did not
   * know yet what was recorded just before it: something by another gateway, or new rules.
   */
  readonly what: 'refused' | 'different' | 'unfounded' | 'omitted' | 'misplaced' | 'delayed';
  readonly code?: string;
  readonly sentence: string;
}

export interface JudgeSpaceOptions {
  readonly name: string;
  /** Whether several gateways write to the journal, so that one may decide without what another just wrote. Default one. */
  readonly hasSeveralWriters?: boolean;
  /** Whether retention removed a proposal. Default none. */
  readonly isRemoved?: (proposal: string) => boolean;
  /** Checks the signatures of decisions. Default: none is valid. */
  readonly checkAssertion?: AssertionCheck;
  /**
   * What a session of the journal decided about a call (O-53); `removed` if retention removed it, so that nothing can be
   * concluded from it. Default: no session decided anything.
   */
  readonly agreedIn?: (session: string) => AgreedOutcome | 'removed' | undefined;
  /** A faster SHA-256 if the host has one. */
  readonly hash?: HashText;
}

/** Decides the records of a space again, one after the other, as they were accepted. */
export interface SpaceJudge {
  /** Whether the rules in force are known. Before that, only what any rules would refuse is found. */
  readonly isRuled: boolean;
  /** From here on these rules were in force. @param at - when they were recorded */
  follow(rules: WrittenRules, at: number): void;
  /**
   * Judges the next record, and takes it as it is: what follows is judged on the state that it left.
   *
   * @param next - the record after it in the journal, if there is one
   * @param isLast - whether no other record of its stream follows
   * @returns what is wrong with it; `undefined` if it could be decided like this
   */
  judge(record: JudgedRecord, next?: OperationRecord, isLast?: boolean): Misjudged | undefined;
}

/** Until the rules are known, nothing is refused that some rules allow. */
const WIDEST = { selfFulfilment: true, counterRounds: Number.MAX_SAFE_INTEGER, arguments: 'mark' } as const;

/** How many records a gateway may have been behind. */
const DELAY = 64;

/** How long after new rules something that was decided by the old ones may be written, in milliseconds. */
const OVERLAP = 10_000;

const DELAYED: Misjudged = {
  what: 'delayed',
  sentence: 'It was decided a moment before what is recorded just before it.',
};

/** How many states from before a counted use are kept, at most. */
const MOST_KEPT = 256;

/** Judges a space from its beginning. */
export function judgeSpace(options: JudgeSpaceOptions): SpaceJudge {
  const { name, isRemoved, checkAssertion, agreedIn, hash, hasSeveralWriters = false } = options;
  let space = emptySpace(spaceSettings({ name, ...WIDEST }));
  let oldest = space;
  let rules: RulesInForce | undefined;
  /** The rules before those, and until when something that was decided by them may still have been written. */
  let replaced: { readonly rules: RulesInForce; readonly until: number } | undefined;
  /** The proposals about which nothing follows. */
  const ended = new Map<string, Proposal>();
  /** What the last message of a stream has yet to bring. */
  const expected = new Map<string, readonly OperationRecord[]>();
  /** The states before the last records, oldest first, if a gateway may have decided on one of them. */
  const earlier: SpaceState[] = [];
  /** The state before something was counted, by what it was counted for: that was decided on this state. */
  const uncounted = new Map<string, SpaceState>();

  /** The batch whose parts are being read, and the state that all of them were decided on (O-35). */
  let parts: { readonly batch: string; readonly before: SpaceState } | undefined;

  function contextOf(before: SpaceState, record: OperationRecord): Omit<DecisionContext, 'isPresent'> {
    const { time: now, facts } = record;
    const inForce = rules;
    const rightsOf = (who: string): ParticipantRights | undefined => inForce?.rightsOf(before, who, now);
    const grant = 'grant' in facts && record.type !== 'granted' ? facts.grant : undefined;
    const sender = senderOf(record, rightsOf);
    return { now, rightsOf, grant, ...madeFor(record), isRemoved, checkAssertion, hash, sender };
  }

  function decideAgain(
    before: SpaceState,
    record: JudgedRecord,
    next: OperationRecord | undefined,
  ): Misjudged | undefined {
    const around = contextOf(before, record);
    const unallowed = rules === undefined ? undefined : checkAllowed(before, record, around);
    if (unallowed !== undefined) return unallowed;
    let wrong: Misjudged | undefined;
    for (const presence of presencesFor(record, next)) {
      const { appends, refused, unchanged } = decideInSpace(before, record.envelope, {
        ...around,
        ...presence,
      });
      if (appends === undefined) {
        wrong ??= refused === undefined ? late(record, unchanged) : refusedBy(refused);
        continue;
      }
      const records = appends.find(({ stream }) => stream === record.stream)?.records ?? [];
      // In the stream of a participant, its use of a grant is counted in the same append.
      const at = isProposalRecord(record) ? 0 : records.length - 1;
      const decided = records[at];
      if (decided !== undefined && isSameRecord(record, decided)) {
        expect(record.stream, records.slice(at + 1));
        return undefined;
      }
      wrong = differs(record);
    }
    return wrong;
  }

  /** What must follow: the rest of a decision that somebody made. Notices depend on who was there. */
  function expect(stream: string, following: readonly OperationRecord[]): void {
    const certain = following.filter(
      ({ type, principal, facts }) =>
        principal !== GATEWAY ||
        type === 'outcome_unknown' ||
        (type === 'declined' && 'final' in facts && facts.final),
    );
    if (certain.length > 0) expected.set(stream, certain);
  }

  /** Whether a record follows from a committed session (O-53); what else follows from it has to come next. */
  function isAgreedOn(before: SpaceState, record: JudgedRecord, next: OperationRecord | undefined): boolean {
    if (!isProposalRecord(record)) return false;
    const session = sessionIn(record) ?? sessionIn(next);
    const outcome = session === undefined ? undefined : agreedIn?.(session);
    if (outcome === 'removed') return !isFulfilledAlready(record);
    if (outcome?.call.space !== name) return false;
    const around = contextOf(before, record);
    for (const presence of presencesFor(record, next)) {
      const context = { ...around, ...presence };
      const { appends = [] } =
        record.type === 'approved'
          ? reviewInSpace(before, record.facts.proposal, context)
          : agreeInSpace(before, outcome, context);
      const records = appends.find(({ stream }) => stream === record.stream)?.records ?? [];
      const at = records.findIndex((each) => isSameRecord(record, each));
      if (at === -1) continue;
      const rest = records.slice(at + 1);
      // Whether what was accepted could be counted at once depends on who was there.
      const counted = record.type === 'approved' ? -1 : rest.findIndex(({ type }) => type === 'approved');
      const certain = counted === -1 ? rest : rest.slice(0, counted);
      if (certain.length > 0) expected.set(record.stream, certain);
      return true;
    }
    return false;
  }

  /** On what a gateway knew that had not read the last records of other streams. */
  function judgeDelayed(record: JudgedRecord, next: OperationRecord | undefined): Misjudged | undefined {
    for (let back = 1; back <= earlier.length; back++) {
      const before = withStreamOf(record, earlier[earlier.length - back] ?? space, space);
      const holds =
        record.principal === GATEWAY || isDerived(record)
          ? isAgreedOn(before, record, next) || isFoundIn(before, record)
          : decideAgain(before, record, next) === undefined;
      if (holds) return DELAYED;
    }
    return undefined;
  }

  function judgeIt(record: JudgedRecord, next: OperationRecord | undefined): Misjudged | undefined {
    const { stream } = record;
    if (stream !== streamOf(name, record)) return misplaced(record);
    const [due, ...later] = expected.get(stream) ?? [];
    if (due !== undefined && isSameRecord(record, due)) {
      if (later.length === 0) expected.delete(stream);
      else expected.set(stream, later);
      return undefined;
    }
    const isNotice = record.principal === GATEWAY;
    if (isNotice || isDerived(record)) {
      if (isAgreedOn(space, record, next) || isFoundIn(space, record)) return undefined;
      if (rules === undefined && !isFulfilledAlready(record)) return undefined;
      if (isNotice) return unfounded(record);
    }
    if (due !== undefined) {
      expected.delete(stream);
      if (rules !== undefined) return omitted(record, due);
    }
    const wrong = decideAgain(space, record, next);
    const before = wrong === undefined ? undefined : decidedOn(record);
    if (before === undefined) return wrong;
    return decideAgain(isProposalRecord(record) ? withStreamOf(record, before, space) : before, record, next);
  }

  /** The state that a record was decided on, if something of the same decision was recorded before it. */
  function decidedOn(record: OperationRecord): SpaceState | undefined {
    const batch = batchOf(record);
    if (batch !== undefined) return batch === parts?.batch ? parts.before : undefined;
    const about = isProposalRecord(record) ? uncounted.get(record.facts.proposal) : undefined;
    return about ?? uncounted.get(record.envelope.id);
  }

  /** Whether the gateway had a reason for a record of its own: somebody may have been there or not. */
  function isFoundIn(before: SpaceState, record: JudgedRecord): boolean {
    if (couldBeByGateway(before, record)) return true;
    if (!isProposalRecord(record)) return false;
    const around = contextOf(before, record);
    return presencesFor(record, undefined).some((presence) => {
      const { appends = [] } = reviewInSpace(before, record.facts.proposal, { ...around, ...presence });
      return appends.some(({ records }) => records.some((each) => isSameRecord(record, each)));
    });
  }

  /** Makes known again what a new proposal depends on, however long ago that ended. */
  function recall(ids: readonly string[]): void {
    for (const id of ids) {
      const known = ended.get(id);
      if (known !== undefined && !space.proposals.has(id)) space = recallProposal(space, known);
    }
  }

  function setRules(next: RulesInForce): void {
    rules = next;
    space = { ...space, settings: next.settings };
  }

  /** By the rules that were just replaced: what was decided before that may have been written after it. */
  function judgeByReplaced(record: JudgedRecord, next: OperationRecord | undefined): Misjudged | undefined {
    const [before, now] = [replaced, rules];
    if (before === undefined || now === undefined || record.time > before.until) return undefined;
    setRules(before.rules);
    const wrong = judgeIt(record, next);
    setRules(now);
    return wrong === undefined ? DELAYED : undefined;
  }

  /** Without rules, nobody knows whether an approval that was held back could run: but it cannot run twice. */
  function isFulfilledAlready(record: OperationRecord): boolean {
    if (record.type !== 'fulfilled') return false;
    return space.proposals.get(record.facts.proposal)?.fulfilment !== undefined;
  }

  function keepBefore(record: OperationRecord): void {
    const batch = batchOf(record);
    if (batch !== undefined && batch !== parts?.batch) parts = { batch, before: space };
    else if (batch === undefined && record.principal !== GATEWAY) parts = undefined;
    const about = countedFor(record);
    if (about !== undefined && uncounted.size < MOST_KEPT) uncounted.set(about, space);
  }

  function forget(record: OperationRecord): void {
    if (uncounted.size === 0) return;
    uncounted.delete(record.envelope.id);
    if (isProposalRecord(record) && record.principal !== GATEWAY) uncounted.delete(record.facts.proposal);
    if (uncounted.size >= MOST_KEPT) uncounted.clear();
  }

  return {
    get isRuled() {
      return rules !== undefined;
    },
    follow(next, at) {
      if (rules !== undefined) replaced = { rules, until: at + OVERLAP };
      setRules(rulesInForce(next));
    },
    judge(record, next, isLast = false) {
      if (record.type === 'proposed') recall(textsIn(record.envelope.payload['depends_on']));
      let wrong = judgeIt(record, next);
      const [unsaid] = isLast ? (expected.get(record.stream) ?? []) : [];
      if (wrong === undefined && unsaid !== undefined) wrong = missing(record, unsaid);
      if (rules === undefined) wrong = withoutRules(wrong);
      if (wrong !== undefined && wrong.what !== 'misplaced') wrong = judgeByReplaced(record, next) ?? wrong;
      if (wrong !== undefined && hasSeveralWriters && wrong.what !== 'misplaced' && wrong !== DELAYED)
        wrong = judgeDelayed(record, next) ?? wrong;
      forget(record);
      keepBefore(record);
      // Of a proposal that was never made, nothing can be folded.
      const isKnown =
        !isProposalRecord(record) || record.type === 'proposed' || space.proposals.has(record.facts.proposal);
      if (!isKnown) return wrong ?? unfounded(record);
      space = evolveSpace(space, record);
      if (isLast && isProposalRecord(record)) {
        const { proposal } = record.facts;
        const known = space.proposals.get(proposal);
        if (known !== undefined && isOver(known)) {
          ended.set(proposal, withoutContent(known));
          space = evictProposal(space, proposal);
        }
      }
      if (hasSeveralWriters) earlier.push(space);
      if (uncounted.size > 0 || parts !== undefined) return wrong;
      const until = earlier.length > DELAY ? earlier.shift() : hasSeveralWriters ? undefined : space;
      if (until !== undefined) {
        releaseSpaceUntil(oldest, until);
        oldest = until;
      }
      return wrong;
    },
  };
}

/** The session that a record names. */
function sessionIn(record: OperationRecord | undefined): string | undefined {
  if (record === undefined) return undefined;
  if (record.type === 'agreed') return record.facts.agreement.session;
  if (record.type === 'approved' || record.type === 'rejected' || record.type === 'fulfilled')
    return record.facts.session;
  const { session } = record.type === 'declined' ? record.envelope.payload : {};
  return typeof session === 'string' ? session : undefined;
}

/** An earlier state, but with what is known now about the stream of a record: its version says that its gateway knew that. */
function withStreamOf(record: OperationRecord, before: SpaceState, now: SpaceState): SpaceState {
  if (isProposalRecord(record)) {
    const proposal = now.proposals.get(record.facts.proposal);
    return proposal === undefined ? before : recallProposal(before, proposal);
  }
  const participant = now.participants.get(record.facts.participant);
  if (participant === undefined) return before;
  return { ...before, participants: before.participants.set(participant.name, participant) };
}

/** What the gateway had made or checked before it decided: only the record has it. */
function madeFor(record: OperationRecord): Pick<DecisionContext, 'newToken' | 'newKey'> {
  switch (record.type) {
    case 'invited': {
      const { invitation } = record.facts;
      return invitation === undefined ? NOTHING : { newToken: success(invitation.token) };
    }
    case 'key_allowed':
      return { newToken: success(record.facts.hash) };
    case 'key_registered': {
      const { vouched: _, label: __, ...newKey } = record.facts.key;
      return { newKey };
    }
    default:
      return NOTHING;
  }
}

const NOTHING = {};

/** What others may still depend on: how it ended. */
function withoutContent(proposal: Proposal): Proposal {
  return { ...proposal, params: undefined, approvals: [], counters: [], delegations: [] };
}

/** What a use was counted for: the id of a proposal or of a message. */
function countedFor(record: OperationRecord): string | undefined {
  if (record.type === 'acted_alone' || record.type === 'executor_confirmed') return record.facts.about;
  return record.type === 'grant_used' ? record.facts.message : undefined;
}

function batchOf({ facts }: OperationRecord): string | undefined {
  return 'batch' in facts ? facts.batch?.id : undefined;
}

/** Whether a record's message was made by the gateway, in the name of whoever decided. */
function isDerived({ envelope }: OperationRecord): boolean {
  return envelope.id.startsWith('system:');
}

/**
 * The sender's rights. Of somebody whom only a signed token names, its person and roles are as they were recorded: the
 * token is not in the journal.
 */
function senderOf(
  { principal, facts, type }: OperationRecord,
  rightsOf: (name: string) => ParticipantRights | undefined,
): ParticipantRights | undefined {
  const rights = rightsOf(principal);
  if (rights === undefined || rights.isConfigured === true) return rights;
  const { subject, roles, worksFor } = (
    type === 'proposed' ? (facts.requester ?? {}) : facts
  ) as Partial<ParticipantRights>;
  const within = type === 'granted' ? { capabilities: compileSources(facts.within) } : {};
  return {
    ...rights,
    ...within,
    ...(subject === undefined ? {} : { subject }),
    ...(roles === undefined ? {} : { roles }),
    ...(worksFor === undefined ? {} : { worksFor }),
  };
}

/** What the gateway checks before it decides: whether its sender may send a message, itself or by a grant. */
function checkAllowed(
  space: SpaceState,
  { envelope, principal }: OperationRecord,
  { sender, grant }: Pick<DecisionContext, 'sender' | 'grant'>,
): Misjudged | undefined {
  if (sender === undefined) {
    const sentence = `${quote(principal)} was not allowed to take part in ${quote(space.settings.name)}.`;
    return { what: 'refused', code: 'capability_violation', sentence };
  }
  if (grant !== undefined && grantById(space, grant)?.to === principal) return undefined;
  const violation = authorize(sender.capabilities, envelope);
  return violation && refusedBy(violation);
}

/** What any rules refuse: the rest depends on rules that the journal does not say. */
const UNDER_ANY_RULES: ReadonlySet<string> = new Set([
  'proposal_not_pending',
  'approvals_paused',
  'kicked',
  'paused',
  'not_executor',
  'not_proposer',
  'use_withdraw',
  'digest_mismatch',
  'kind_mismatch',
  'unknown_proposal',
  'unknown_counter',
  'late',
  'duplicate',
]);

function withoutRules(found: Misjudged | undefined): Misjudged | undefined {
  return found?.what === 'refused' && UNDER_ANY_RULES.has(found.code ?? '') ? found : undefined;
}

function refusedBy({ code, message }: { readonly code: string; readonly message: string }): Misjudged {
  return { what: 'refused', code, sentence: message };
}

function late({ envelope }: OperationRecord, code = 'late'): Misjudged {
  const sentence =
    code === 'duplicate'
      ? `${quote(envelope.id)} was accepted before, so it makes no difference.`
      : `${quote(envelope.id)} came too late to make a difference.`;
  return { what: 'refused', code, sentence };
}

function differs({ type, envelope }: OperationRecord): Misjudged {
  return {
    what: 'different',
    sentence: `By the rules, ${quote(envelope.id)} does not become this ${quote(type)}.`,
  };
}

function unfounded({ type }: OperationRecord): Misjudged {
  return { what: 'unfounded', sentence: `Nothing gave the gateway a reason for this ${quote(type)}.` };
}

function omitted({ type }: OperationRecord, due: OperationRecord): Misjudged {
  return { what: 'omitted', sentence: `${quote(due.type)} had to come before this ${quote(type)}.` };
}

function missing({ type }: OperationRecord, due: OperationRecord): Misjudged {
  return { what: 'omitted', sentence: `${quote(due.type)} had to follow this ${quote(type)}.` };
}

function misplaced({ stream, type }: OperationRecord & { readonly stream: string }): Misjudged {
  return { what: 'misplaced', sentence: `This ${quote(type)} does not belong to ${quote(stream)}.` };
}
