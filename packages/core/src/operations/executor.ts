import type { Subject } from '../envelope/kind.js';
import { quote } from '../json/describe.js';
import { type Refusal, refuse } from '../refusal/refusal.js';
import type { Serving } from './context.js';

/** Who will run an operation, or why that is not clear. */
export type ExecutorChoice =
  | { readonly executor: string | undefined; readonly refused?: never }
  | { readonly refused: Refusal };

/**
 * Finds the one participant that runs a fulfilment (O-26): the addressee that serves the tool, else
 * the only one that does. An operation about one tool, prompt or resource has exactly one executor,
 * so that it cannot run twice (O-12). Where nobody has announced it, a single addressee is taken at
 * the fulfiller's word. Other methods, such as `tools/list`, may have none: whoever is addressed
 * answers. Only somebody who is connected now is chosen: asked of anybody else, it would be used up
 * and its outcome unknown (O-23). Whoever is away for a moment only is not passed over for another,
 * though: who approved it had that one in mind.
 */
export function chooseExecutor(
  subject: Subject | undefined,
  to: readonly string[],
  { isPresent, isConnected, servedBy }: Serving,
): ExecutorChoice {
  const announced = subject === undefined ? [] : servedBy(subject);
  const [only, ...others] = to;
  if (announced.length === 0 && only !== undefined && others.length === 0) return choose(only, isConnected);
  if (subject === undefined) return { executor: undefined };
  const serving = announced.filter((name) => to.length === 0 || to.includes(name));
  const present = serving.filter(isPresent);
  const [candidate, ...rivals] = present.length === 0 ? serving : present;
  if (candidate !== undefined && (rivals.length === 0 || present.length === 0))
    return choose(candidate, isConnected);
  return { refused: refuseAmbiguous(subject, present.length === 0 ? announced : present) };
}

function choose(executor: string, isConnected: Serving['isConnected']): ExecutorChoice {
  return isConnected(executor) ? { executor } : { refused: refuseAbsent(executor) };
}

function refuseAbsent(executor: string): Refusal {
  return refuse('executor_absent', `${quote(executor)}, which would run it, is not connected.`, { executor });
}

function refuseAmbiguous(subject: Subject, candidates: readonly string[]): Refusal {
  const what = quote(subject.name);
  const who = candidates.map(quote).join(', ');
  const sentence = candidates.length === 0 ? `Nobody here serves ${what}.` : `${what} is served by ${who}.`;
  return refuse('ambiguous_executor', sentence, { subject: subject.name, candidates });
}
