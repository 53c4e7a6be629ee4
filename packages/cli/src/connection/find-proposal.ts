import { CommandFailure } from '../command-failure.js';
import { EXIT } from '../exit-code.js';
import type { Connection } from './connection.js';
import { sameOptions } from './gateway-url.js';
import { looksLikeGuards } from './guard-id.js';
import type { ProposalView, Step } from './proposal-view.js';

/** A proposal with everything that was said about it. */
export interface FoundProposal {
  readonly proposal: ProposalView;
  readonly history: readonly Step[];
}

/**
 * The proposal that an id, or the beginning of one, stands for: of those that are pending, else of all. Only
 * where there is no such id are others looked at.
 *
 * @param wanted - `pending`: one that is to be decided, so that several that are over are none
 * @throws CommandFailure where none, or several, begin with it
 */
export async function findProposal(
  connection: Connection,
  text: string,
  wanted: 'any' | 'pending' = 'any',
): Promise<FoundProposal> {
  if (text === '') throw noId(`${connection.name} inbox${sameOptions(connection.endpoint)}`);
  try {
    return await connection.proposal(text);
  } catch (error) {
    const isUnknown = error instanceof CommandFailure && error.failure.code === 'unknown_proposal';
    if (!isUnknown) throw withGuardHint(error, connection, text);
    const { isPending, found } = await beginningWith(connection, text);
    const [id] = found;
    if (id === undefined) throw withGuardHint(error, connection, text);
    if (found.length > 1) {
      const same = sameOptions(connection.endpoint);
      if (wanted === 'pending' && !isPending) throw nonePending(text, `${connection.name} inbox${same}`);
      throw noSuchProposal(text, found, [`${connection.name} inbox --all${same}   # lists them`]);
    }
    return await connection.proposal(id);
  }
}

/** A variable that is not set, mostly. */
function noId(inbox: string): CommandFailure {
  return new CommandFailure({
    exit: EXIT.usage,
    code: 'usage',
    message: 'The id of the proposal is empty.',
    next: [`${inbox}   # lists what is pending`],
  });
}

function nonePending(text: string, inbox: string): CommandFailure {
  return new CommandFailure({
    exit: EXIT.refused,
    code: 'late',
    message: `No proposal that begins with ${JSON.stringify(text)} is pending; those that do are over.`,
    details: { proposals: [text] },
    next: [`${inbox}   # lists what is pending`],
  });
}

/** Ids of guards are easily looked for where the guards are not. */
function withGuardHint(error: unknown, { endpoint }: Connection, text: string): unknown {
  const { given } = endpoint;
  if (!(error instanceof CommandFailure) || given.guard === true || !looksLikeGuards(text)) return error;
  const { next = [], ...failure } = error.failure;
  const hint = '--guard   # the id is that of a guard: its gateway is the one that the guards here share';
  return new CommandFailure({ ...failure, next: [hint, ...next] }, error);
}

/** No proposal, or several, begin with what was asked for. */
export function noSuchProposal(
  text: string,
  found: readonly string[],
  next: readonly string[],
): CommandFailure {
  const many = found.length > 1;
  return new CommandFailure({
    exit: many ? EXIT.usage : EXIT.refused,
    code: many ? 'usage' : 'unknown_proposal',
    message: many
      ? `Several proposals begin with ${JSON.stringify(text)}; write more of the id.`
      : `There is no proposal ${JSON.stringify(text)}, and none begins with it.`,
    details: many ? { found: found.slice(0, 20) } : { proposals: [text] },
    next,
  });
}

async function beginningWith(
  connection: Connection,
  text: string,
): Promise<{ readonly isPending: boolean; readonly found: readonly string[] }> {
  if (text === '') return { isPending: false, found: [] };
  // Of several with the same beginning, only one that is pending can be meant by what a table of these shows.
  const { proposals, more } = await connection.pending();
  const pending = proposals.flatMap(({ id }) => (id.startsWith(text) ? [id] : []));
  if (pending.length > 1 || (more === 0 && pending.length > 0)) return { isPending: true, found: pending };
  const over: string[] = [];
  for await (const page of connection.everyProposal()) {
    for (const { id, phase } of page) {
      if (!id.startsWith(text)) continue;
      if (phase !== 'pending') over.push(id);
      else if (!pending.includes(id)) pending.push(id);
    }
    // Others that are pending matter only where there are more of them than were listed.
    if (pending.length > 1 || (more === 0 && over.length > 1)) break;
  }
  return pending.length > 0 ? { isPending: true, found: pending } : { isPending: false, found: over };
}
