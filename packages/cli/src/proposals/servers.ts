import type { JsonObject } from '@proffer/core/json';
import type { ProposalView } from './proposal-view.js';
import { definitionsIn, type Present } from './served.js';

/** A participant that serves what a proposal is about. */
export interface Server {
  readonly name: string;
  /** The tool or prompt as that participant announces it. */
  readonly definition: JsonObject;
}

/**
 * Who in the space serves what a proposal is about. Empty for a resource: what a template describes is in no list.
 *
 * @param members - who is in the space
 */
export function serversOf(
  { subject }: Pick<ProposalView, 'subject'>,
  members: readonly Present[],
): readonly Server[] {
  if (subject === undefined || subject.list === 'resources') return [];
  const { list, name } = subject;
  return members.flatMap(({ id, serves }) => {
    const found = definitionsIn(serves, list).find((one) => one.name === name);
    return found === undefined ? [] : [{ name: id, definition: found.definition }];
  });
}

/**
 * The one who would run it, and serves it now: an approval can name that one. `undefined` where that is not known.
 * Whoever does not announce it must not be named: a gateway takes the word of an approval for who can run something.
 */
export function executorOf(
  proposal: Pick<ProposalView, 'subject' | 'wouldRun'>,
  members: readonly Present[] | undefined,
): string | undefined {
  const servers = members === undefined ? [] : serversOf(proposal, members);
  const name = proposal.wouldRun?.name ?? (servers.length === 1 ? servers[0]?.name : undefined);
  return servers.some((server) => server.name === name) ? name : undefined;
}
