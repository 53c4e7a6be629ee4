import { answerApproval, type Clock, type OwnCallOutcome, outcomeLost } from '@proffer/client/own-calls';
import type { Participant } from '@proffer/client/participation';
import { defined, type JsonObject } from '@proffer/core/json';
import { objectAt, textAt } from '../../json-rpc.js';
import {
  type CallIds,
  createCallIds,
  type GatedCallFacts,
  keyOfProposal,
  originIn,
  qualifiedName,
} from '../call-identity.js';
import type { CallMemory } from './call-journal.js';
import { editInArchive, outcomeInArchive, type ProposalArchive } from './proposal-archive.js';

/** A call of an earlier run that a repeated call should join. */
export interface AdoptedCall {
  readonly facts: GatedCallFacts;
  /** The outcome of the call; `undefined` while it waits for a decision. */
  readonly outcome: OwnCallOutcome | undefined;
  /** How long a repeated call joins it, in milliseconds. */
  readonly window: number;
  /** Whether a caller was promised that it waits until it expires. */
  readonly isPromised?: boolean;
  /** Whether the space must be told that the outcome of this later round is unknown. */
  readonly isUndeclared?: true;
}

/** The guard that looks for what was left behind. */
export interface Successor {
  readonly participant: Participant;
  readonly archive: ProposalArchive;
  readonly server: string;
  /** Distinguishes the server from another of the same name. */
  readonly identity: string;
  readonly clock: Clock;
  /** How long a call without a caller waits for one to return, in milliseconds. */
  readonly window: number;
}

/** The maximum number of results to look up, each with a request: those of the calls that ended last. */
const MAX_RESULTS = 500;
/** The maximum number of later rounds, likewise. */
const MAX_ROUNDS = 100;

/**
 * What an earlier run for the same server left behind: pending calls, calls with an unknown outcome, and
 * calls that ended within the window. Not those whose outcome was delivered, since repeating them is a new
 * call, and not those that ended without a rejection (withdrawn, approved when nobody waited any more, or
 * changed into something that the rules deny), which can simply be made again.
 *
 * @param memory - what guards of this server stored about their calls
 */
export async function* callsLeftBehind(
  successor: Successor,
  memory: CallMemory,
  { isOwn }: CallIds,
): AsyncGenerator<AdoptedCall> {
  const { archive, participant, window, clock } = successor;
  const now = clock.now();
  const others: JsonObject[] = [];
  const settled: { readonly id: string; readonly window: number }[] = [];
  const left = (
    proposal: JsonObject,
    outcome: OwnCallOutcome | undefined,
    joinable = window,
  ): AdoptedCall => {
    const facts = factsOf(proposal, successor);
    return {
      facts,
      outcome,
      window: joinable,
      isPromised: memory.has({ type: 'promised', id: facts.id }),
    };
  };
  for await (const proposal of archive.open({ since: now - window, proposer: participant.name })) {
    const id = textAt(proposal, 'id');
    if (proposal['proposer'] !== participant.name || !isOwn(id)) continue;
    const waits = proposal['phase'] === 'pending';
    // First, because of two equal calls, the waiting one is the one to join. What was approved after we entered is ours
    // to run.
    if (waits || (isRunning(proposal) && (await wasApprovedAfter(participant.welcome.seq, archive, id))))
      yield left(proposal, undefined);
    else others.push(proposal);
  }
  for (const proposal of others) {
    const { phase, changedAt } = proposal;
    const id = textAt(proposal, 'id');
    const remaining = typeof changedAt === 'number' ? changedAt + window - now : 0;
    if (memory.has({ type: 'heard', id })) continue;
    if (isUnknown(proposal)) yield left(proposal, endOf(proposal));
    else if (remaining > 0 && phase === 'settled') settled.push({ id, window: remaining });
    else if (remaining > 0 && !isAskedAnew(endOf(proposal))) yield left(proposal, endOf(proposal), remaining);
  }
  settled.sort((one, other) => other.window - one.window);
  for (const { id, window: remaining } of settled.slice(0, MAX_RESULTS)) {
    const found = await archive.find(id);
    const outcome = found === undefined ? undefined : outcomeInArchive(found);
    if (found !== undefined && outcome !== undefined && !isAskedAnew(outcome))
      yield left(found.proposal, outcome, remaining);
  }
  yield* roundsLeftBehind(successor, memory, isOwn);
}

/**
 * Later rounds that an earlier run started and that were not delivered: a repeated call is told that the outcome is
 * unknown. The history has only what came before them.
 */
async function* roundsLeftBehind(
  successor: Successor,
  memory: CallMemory,
  isOwn: CallIds['isOwn'],
): AsyncGenerator<AdoptedCall> {
  const { archive, participant, window } = successor;
  for (const { id, round } of memory.unheardRounds.slice(-MAX_ROUNDS)) {
    const { proposal } = (isOwn(id) ? await archive.find(id) : undefined) ?? {};
    if (proposal === undefined || proposal['proposer'] !== participant.name) continue;
    const why = 'the executor of a later round disconnected without answering';
    const isDeclared = memory.has({ type: 'declared', id, round });
    yield {
      facts: { ...factsOf(proposal, successor), round },
      outcome: { type: 'unknown', why, ...editInArchive(proposal) },
      window,
      ...(isDeclared ? {} : { isUndeclared: true }),
    };
  }
}

/**
 * Calls of other guards of the same server with an unknown outcome that no caller was told (O-23): several that run at
 * once have the names `SERVER`, `SERVER-2` …, and a caller that repeats a call may reach another one of them. Only
 * calls that any client may join, as if they had been made here; none for a guard with another name, since it does not
 * share them.
 */
export async function* callsOfSiblings(
  successor: Successor,
  memory: CallMemory,
): AsyncGenerator<AdoptedCall> {
  const { archive, participant, server, identity, window, clock } = successor;
  const { name: own } = participant;
  if (!isNameOf(server, own)) return;
  const idsOf = (principal: string): CallIds => createCallIds({ principal, server, identity }, clock.now());
  const { key: ownKey, isOwn } = idsOf(own);
  for await (const proposal of archive.open({})) {
    const id = textAt(proposal, 'id');
    const proposer = textAt(proposal, 'proposer');
    const isSibling = proposer !== own && isNameOf(server, proposer) && isOwn(id);
    const isDeclared = objectAt(proposal, 'outcome')['result'] === 'unknown';
    if (!isSibling || !isDeclared || memory.has({ type: 'heard', id })) continue;
    const facts = factsOf(proposal, { ...successor, participant: { name: proposer } });
    const { tool, arguments: args } = facts;
    if (idsOf(proposer).key(tool, args) === facts.key)
      yield { facts: { ...facts, key: ownKey(tool, args) }, outcome: endOf(proposal), window };
  }
}

function isNameOf(server: string, name: string): boolean {
  return name === server || (name.startsWith(`${server}-`) && /^\d+$/.test(name.slice(server.length + 1)));
}

/** The facts of a guard's proposal. */
export function factsOf(
  proposal: JsonObject,
  {
    participant,
    server,
    clock,
  }: Pick<Successor, 'server' | 'clock'> & { readonly participant: Pick<Participant, 'name'> },
): GatedCallFacts {
  const { proposedAt, expiresAt } = proposal;
  const id = textAt(proposal, 'id');
  const params = objectAt(proposal, 'params');
  const name = textAt(params, 'name');
  const prefix = qualifiedName(participant.name, server, '');
  return {
    id,
    key: keyOfProposal(id) ?? '',
    tool: name.startsWith(prefix) ? name.slice(prefix.length) : name,
    arguments: objectAt(params, 'arguments'),
    createdAt: typeof proposedAt === 'number' ? proposedAt : clock.now(),
    ...(typeof expiresAt === 'number' ? { expiresAt } : {}),
    ...defined({ origin: originIn(proposal) }),
  };
}

/** Whether the outcome of a proposal is unknown: it was declared so, or its executor has not answered. */
export function isUnknown(proposal: JsonObject): boolean {
  return isRunning(proposal) || objectAt(proposal, 'outcome')['result'] === 'unknown';
}

function endOf(proposal: JsonObject): OwnCallOutcome | undefined {
  return outcomeInArchive({ proposal, messages: [] });
}

/**
 * Calls that did not run although nobody rejected them as they were made. And what the server asked for
 * (2026-07-28) was lost with its process.
 */
function isAskedAnew(outcome: OwnCallOutcome | undefined): boolean {
  if (outcome?.type === 'ran') return outcome.result['resultType'] === 'input_required';
  return outcome?.type === 'withdrawn' || outcome?.type === 'denied';
}

/**
 * Reports the outcome of every call that an earlier run under this name left halfway as unknown: its approvers
 * would wait for reports that nobody can give any more (O-46). Nothing is run again.
 */
export async function reportLostCalls(participant: Participant, archive: ProposalArchive): Promise<void> {
  for (const proposal of await leftRunning(participant, archive)) {
    const fulfilment = objectAt(proposal, 'fulfilment');
    const [request, by, method] = [
      textAt(fulfilment, 'request'),
      textAt(fulfilment, 'by'),
      textAt(proposal, 'method'),
    ];
    await answerApproval(participant, { request, by, method }, outcomeLost(LOST));
  }
}

const LOST = 'The guard stopped in the middle of this call, so the outcome of the call is unknown.';

/** Running calls that only this participant could answer for. */
async function leftRunning(
  { name, welcome }: Participant,
  archive: ProposalArchive,
): Promise<readonly JsonObject[]> {
  const found: JsonObject[] = [];
  for await (const proposal of archive.open({})) {
    const isOurs = objectAt(proposal, 'fulfilment')['executor'] === name;
    const id = textAt(proposal, 'id');
    if (isOurs && isRunning(proposal) && !(await wasApprovedAfter(welcome.seq, archive, id)))
      found.push(proposal);
  }
  return found;
}

/** Whether it was approved after a `seq`; if that is after we entered, it is ours to run. */
async function wasApprovedAfter(seq: number, archive: ProposalArchive, id: string): Promise<boolean> {
  const { proposal = {}, messages = [] } = (await archive.find(id)) ?? {};
  const { request } = objectAt(proposal, 'fulfilment');
  return messages.some((message) => message['id'] === request && Number(message['seq'] ?? 0) > seq);
}

/** Whether it was approved and has no outcome yet. */
function isRunning({ phase, outcome }: JsonObject): boolean {
  return (phase === 'allowed' || phase === 'fulfilled') && outcome === undefined;
}

/** How long an unknown outcome reserves a name, in milliseconds: a server may never come back. */
const LONGEST = 86_400_000;

/** A guard that wants a name. */
export interface Contender {
  readonly server: string;
  readonly identity: string;
  /** What guards of this server stored about their calls. */
  readonly memory: CallMemory;
  /** Milliseconds since 1970. */
  readonly now: number;
}

/**
 * Whether a name is reserved for the guard of another server: calls for that server wait under it, and their approvals
 * would be wasted; or one of them is running, or has had an unknown outcome for at most a day that no caller was told,
 * which only a guard under that name can do (O-23). It is reserved until that guard is back, the calls have expired, or
 * the day is over. This does not enter the space.
 */
export async function isHeldForAnother(
  archive: ProposalArchive,
  name: string,
  { memory, now, ...about }: Contender,
): Promise<boolean> {
  const { isForeign } = createCallIds({ ...about, principal: name }, now);
  for await (const proposal of archive.open({ proposer: name })) {
    const { phase, changedAt } = proposal;
    const id = textAt(proposal, 'id');
    if (!isForeign(id)) continue;
    const isRecent = typeof changedAt === 'number' && now - changedAt < LONGEST;
    if (phase === 'pending' || (isRecent && isUnknown(proposal) && !memory.has({ type: 'heard', id })))
      return true;
  }
  return false;
}
