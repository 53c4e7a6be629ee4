import { announcedNames, checkAssignment, isInCall } from '../argument-names.js';
import type { GatewayConnection } from '../connection/connection.js';
import { shellWord } from '../terminal/shell.js';
import type { ProposalView } from './proposal-view.js';
import { definitionsNow } from './served.js';

/** Assignments in shell syntax. */
const OPTIONS = {
  set: (assignment: string) => `--set ${shellWord(assignment)}`,
  add: (assignment: string) => `--add ${shellWord(assignment)}`,
};

/** Where to look up the announced names, and how much time there is. */
export interface NameLookup {
  readonly connection: GatewayConnection;
  /** The deadline in milliseconds since 1970. Default: none. */
  readonly until?: number | undefined;
}

/**
 * Refuses a `--set` of an argument that is neither in the call nor announced by its tool. Announcements are
 * requested only for a name that is not in the call.
 */
export async function checkNames(
  { method, params, subject }: ProposalView,
  set: readonly string[],
  { connection, until = Number.POSITIVE_INFINITY }: NameLookup,
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
