import type { Subject } from '../../envelope/kind.js';
import { quote } from '../../json/describe.js';
import { type Refusal, refuse } from '../../refusal/refusal.js';
import type { ExecutorContext } from '../context.js';
import type { Proposal } from '../proposal/proposal.js';
import { hasAnnounced, listedBy, predecessorOf, servedBy } from '../space/who-serves.js';

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
