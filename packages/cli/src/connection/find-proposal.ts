import { CommandFailure } from '../command-failure.js';
import { EXIT } from '../exit-code.js';
import type { Connection } from './connection.js';
import { sameOptions } from './gateway-url.js';
import type { ProposalView, Step } from './proposal-view.js';

/** A proposal with everything that was said about it. */
export interface FoundProposal {
  readonly proposal: ProposalView;
  readonly history: readonly Step[];
}

/**
 * The proposal that an id, or the beginning of one, stands for. Only where there is no such id are all
 * proposals looked at.
 *
 * @throws CommandFailure where none, or several, begin with it
 */
export async function findProposal(connection: Connection, text: string): Promise<FoundProposal> {
  try {
    return await connection.proposal(text);
  } catch (error) {
    const isUnknown = error instanceof CommandFailure && error.failure.code === 'unknown_proposal';
    if (!isUnknown) throw error;
    const found = await beginningWith(connection, text);
    const [id] = found;
    if (id === undefined) throw error;
    if (found.length > 1) {
      throw noSuchProposal(text, found, [
        `${connection.name} inbox --all${sameOptions(connection.endpoint)}   # lists them`,
      ]);
    }
    return await connection.proposal(id);
  }
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

async function beginningWith(connection: Connection, text: string): Promise<readonly string[]> {
  const found: string[] = [];
  if (text === '') return found;
  for await (const page of connection.everyProposal()) {
    for (const { id } of page) if (id.startsWith(text)) found.push(id);
    if (found.length > 1) break;
  }
  return found;
}
