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
 * so that it cannot run twice (O-12); a single addressee needs no announcement. Other methods, such
 * as `tools/list`, may have none: whoever is addressed answers.
 */
export function chooseExecutor(
  subject: Subject | undefined,
  to: readonly string[],
  { isPresent, servedBy }: Serving,
): ExecutorChoice {
  const [only, ...others] = to;
  if (only !== undefined && others.length === 0) {
    return isPresent(only) ? { executor: only } : { refused: refuseAbsent(only) };
  }
  if (subject === undefined) return { executor: undefined };
  const serving = servedBy(subject).filter((name) => to.length === 0 || to.includes(name));
  const present = serving.filter(isPresent);
  const [candidate] = present;
  if (candidate !== undefined && present.length === 1) return { executor: candidate };
  const [absent] = serving;
  if (absent !== undefined && serving.length === 1) return { refused: refuseAbsent(absent) };
  return { refused: refuseAmbiguous(subject, present) };
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
