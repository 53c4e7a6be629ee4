import { announcedNames, checkAssignment, isInCall } from '../argument-names.js';
import type { Connection } from '../connection/connection.js';
import { shellWord } from '../terminal/shell-word.js';
import type { ProposalView } from './proposal-view.js';
import { definitionsNow } from './served.js';

/** Assignments as they are written in a shell. */
const OPTIONS = {
  set: (assignment: string) => `--set ${shellWord(assignment)}`,
  add: (assignment: string) => `--add ${shellWord(assignment)}`,
};

/** Who is asked what is announced, and how long there is time for it. */
export interface Asking {
  readonly connection: Connection;
  /** When the time given is over, in milliseconds since 1970. Default never. */
  readonly until?: number | undefined;
}

/**
 * Refuses a `--set` of an argument that neither the call has nor its tool announces. What is announced is asked for only
 * where a name is not in the call itself.
 */
export async function checkNames(
  { method, params, subject }: ProposalView,
  set: readonly string[],
  { connection, until = Number.POSITIVE_INFINITY }: Asking,
): Promise<void> {
  const unknown = set.filter((assignment) => !isInCall({ method, params }, assignment));
  if (unknown.length === 0) return;
  const served =
    subject === undefined || subject.list === 'resources'
      ? undefined
      : await definitionsNow(connection.endpoint, subject.list, Math.max(1, until - Date.now()));
  const found = served?.find(({ name }) => name === subject?.name);
  const announced = found === undefined ? undefined : announcedNames(found.definition);
  for (const assignment of unknown) checkAssignment({ method, params, announced }, assignment, OPTIONS);
}
