import { authorizeToSome } from '../../capability/authorize.js';
import type { Envelope } from '../../envelope/envelope.js';
import type { Subject } from '../../envelope/kind.js';
import { asksForCapable, preferredIn } from '../../envelope/recipients.js';
import { quote } from '../../json/describe.js';
import { objectOf, textOf } from '../../json/fields.js';
import { isJsonObject } from '../../json/json.js';
import { type Refusal, refuse } from '../../refusal/refusal.js';
import type { ExecutorContext, ProposalContext } from '../context.js';
import { requestFor } from '../proposal/may-fulfil.js';
import type { Proposal } from '../proposal/proposal.js';
import type { ExecutorConfirmed, ProposalRecord, Targeting } from '../records.js';
import { hasAnnounced, listedBy, predecessorOf, servedBy } from '../space/servers.js';
import type { SpaceState } from '../space/space.js';
import type { StreamAppend } from '../space/space-decision.js';
import { noticeTo } from './notice.js';

/** Who will run an operation, or why that is unclear. */
export type ExecutorChoice =
  | {
      readonly executor: string | undefined;
      /** Who served it before: a person must have seen that somebody new would run it. */
      readonly insteadOf?: string | undefined;
      readonly refused?: never;
    }
  | { readonly refused: Refusal };

/** The part of a proposal that determines who runs it. */
export type Runnable = Pick<Proposal, 'id' | 'proposer' | 'subject' | 'executor'>;

/**
 * Finds the one participant that runs a fulfilment (O-26): the one that the proposal names, else the
 * addressee that serves the tool, else whoever serves it. Of several, the first that announced it:
 * announcing what another serves takes nothing away from it. After those who announced it come those
 * who only listed it when asked (`tools/list`), like clients that never announce anything. An
 * operation about one tool, prompt or resource has exactly one executor, so that it cannot run twice
 * (O-12). If nobody has announced it, a single addressee is taken at the fulfiller's word. Other
 * methods, such as `tools/list`, may have none: whoever is addressed answers.
 *
 * Only someone who is connected now is chosen: otherwise the proposal would be used up and its
 * outcome unknown (O-23). A briefly absent participant is not passed over for another, though: the
 * approver had that one in mind. A proposer does not run its own call, and make up the result, unless
 * the operator allows it.
 *
 * A tool keeps its executor: those that ran it, or were the first to serve it, come before somebody new,
 * and if only somebody new is present, the choice says whose place it takes.
 */
export function chooseExecutor(
  proposal: Runnable,
  to: readonly string[],
  serving: ExecutorContext,
): ExecutorChoice {
  const { subject, executor: named } = proposal;
  const [only, ...others] = to;
  if (named !== undefined) {
    const isNamed = to.length === 0 || to.includes(named);
    if (!isNamed) return { refused: refuseOther(proposal, named) };
    return canServe(named, subject, serving)
      ? choose(named, proposal, serving)
      : { refused: refuseNotNow(named, subject) };
  }
  const announced = subject === undefined ? [] : servedBy(serving.space, subject);
  if (announced.length === 0 && only !== undefined && others.length === 0)
    return choose(only, proposal, serving);
  if (subject === undefined) return { executor: undefined };
  const servers = [...announced, ...listedBy(serving.space, subject)];
  const addressed = servers.filter((name) => to.length === 0 || to.includes(name));
  const mayRun = addressed.filter((name) => !isOwnCall(name, proposal, serving));
  const candidates = mayRun.length === 0 ? addressed : mayRun;
  const known = candidates.filter((name) => predecessorOf(serving.space, subject, name) === undefined);
  const candidate =
    known.find(serving.isPresent) ?? candidates.find(serving.isPresent) ?? known[0] ?? candidates[0];
  return candidate === undefined
    ? { refused: refuseUnserved(subject, servers.filter(serving.isPresent)) }
    : choose(candidate, proposal, serving);
}

/**
 * A participant that announces what it serves is trusted; one that announces nothing may serve
 * anything.
 */
function canServe(
  name: string,
  subject: Subject | undefined,
  { isConnected, space }: ExecutorContext,
): boolean {
  // An absent executor gets another message.
  if (subject === undefined || !isConnected(name) || !hasAnnounced(space, name, subject.list)) return true;
  return servedBy(space, subject).includes(name);
}

function choose(executor: string, proposal: Runnable, serving: ExecutorContext): ExecutorChoice {
  if (!serving.isConnected(executor)) return { refused: refuseAbsent(executor) };
  if (isOwnCall(executor, proposal, serving)) return { refused: refuseOwnCall(proposal) };
  const { subject, proposer } = proposal;
  // One that the operator lets run its own calls takes no call of others.
  if (subject === undefined || executor === proposer) return { executor };
  const insteadOf = predecessorOf(serving.space, subject, executor);
  return insteadOf === undefined ? { executor } : { executor, insteadOf };
}

/** Whether a participant would run its own proposal but may not. Unknown for one that is not connected. */
function isOwnCall(
  name: string,
  { proposer }: Runnable,
  { isConnected, rightsOf }: ExecutorContext,
): boolean {
  return name === proposer && isConnected(name) && rightsOf?.(name)?.runsOwnCalls !== true;
}

function refuseAbsent(executor: string): Refusal {
  return refuse('executor_absent', `${quote(executor)}, which would run it, is not connected.`, { executor });
}

function refuseOwnCall({ id, proposer }: Runnable): Refusal {
  const sentence = `${quote(proposer)} proposed ${quote(id)}, and may not run it itself.`;
  return refuse('own_call', sentence, { proposal: id, executor: proposer });
}

function refuseOther({ id }: Runnable, executor: string): Refusal {
  const sentence = `${quote(id)} may only be run by ${quote(executor)}.`;
  return refuse('executor_changed', sentence, { proposal: id, executor });
}

function refuseNotNow(executor: string, subject: Subject | undefined): Refusal {
  const { name } = subject ?? { name: '' };
  const sentence = `${quote(executor)}, which would run it, does not currently serve ${quote(name)}.`;
  return refuse('ambiguous_executor', sentence, { subject: name, candidates: [] });
}

function refuseUnserved(subject: Subject, candidates: readonly string[]): Refusal {
  const what = quote(subject.name);
  const who = candidates.map(quote).join(', ');
  const sentence = candidates.length === 0 ? `Nobody here serves ${what}.` : `${what} is served by ${who}.`;
  return refuse('ambiguous_executor', sentence, { subject: subject.name, candidates });
}

/**
 * What must be in the journal before somebody new runs a tool that another one served: that a person let it
 * (O-26). It goes to the stream of the new executor, because retention removes those of proposals. From then
 * on it may run this tool like the one before it. `undefined` if nobody new runs anything, or an approval is
 * not complete yet.
 */
export function confirmExecutor(
  space: SpaceState,
  records: readonly ProposalRecord[],
): StreamAppend | undefined {
  const record = records.find(isComplete);
  if (record === undefined || !('insteadOf' in record.facts)) return undefined;
  const { executor: participant, insteadOf, proposal: about } = record.facts;
  const subject = space.proposals.get(about)?.subject;
  if (subject === undefined || participant === undefined || insteadOf === undefined) return undefined;
  const { time, principal: by } = record;
  const { list, name } = subject;
  const payload = { notice: 'executor_confirmed', executor: participant, list, name, insteadOf, by } as const;
  const { stream, expectedVersion, noticed } = noticeTo(space, { participant, about, time, payload });
  const facts = { participant, list, name, insteadOf, by, about };
  const confirmed: ExecutorConfirmed = { type: 'executor_confirmed', ...noticed, facts };
  return { stream, expectedVersion, records: [confirmed] };
}

/** Whether a record lets a call run: now, or once those that it depends on are done (O-37). */
function isComplete({ type, facts }: ProposalRecord): boolean {
  return type === 'fulfilled' || ('waitsFor' in facts && facts.waitsFor !== undefined);
}

/**
 * Parses the targeting of a proposal (O-20). Plain `to` means: these are preferred, not exclusive. A
 * proposer that may not fulfil its own proposal is not among them, whatever it says: waiting for it
 * would be pointless. The envelope is already validated, so fields have their types.
 */
export function readTargeting(
  envelope: Envelope,
  context: ProposalContext,
): { readonly targeting?: Targeting; readonly addressees: readonly string[] } {
  const { settings, now } = context;
  const { targeting } = envelope.payload;
  const given = objectOf(targeting);
  const { to = [] } = envelope;
  const mayAct = (name: string): boolean => settings.selfFulfilment || name !== envelope.from;
  const wanted = (given['preferred'] as readonly string[] | undefined) ?? preferredIn(envelope.payload);
  const named = asksForCapable(envelope.payload) ? [...wanted, ...capableOf(envelope, context)] : wanted;
  const preferred = distinct(named.length === 0 ? to : named).filter(mayAct);
  const addressees = distinct([...to, ...preferred]).filter(mayAct);
  if (preferred.length === 0) return { addressees };
  const exclusive = given['exclusive'] === true;
  const window = exclusive
    ? (given['exclusive_timeout'] ?? given['fallback_timeout'] ?? settings.exclusiveTimeout)
    : given['fallback_timeout'];
  return {
    addressees,
    targeting: {
      preferred,
      exclusive,
      fallback: given['fallback_to_broadcast'] !== false,
      ...(typeof window === 'number' ? { until: now + window } : {}),
      ...(given['quick_reject'] === true ? { quickReject: true } : {}),
    },
  };
}

/** The participants present who may fulfil a proposal (O-38), in alphabetical order, so that two gateways name them alike. */
function capableOf({ payload }: Envelope, { present, rightsOf }: ProposalContext): readonly string[] {
  const { method, params } = payload;
  const call = { method: textOf(method), params: isJsonObject(params) ? params : undefined };
  const names = (present?.() ?? []).filter((name) => {
    const rights = rightsOf?.(name);
    return rights !== undefined && authorizeToSome(rights.capabilities, requestFor(call, name)) === undefined;
  });
  return [...distinct(names)].sort();
}

function distinct(names: readonly string[]): readonly string[] {
  return names.length < 2 ? names : [...new Set(names)];
}
