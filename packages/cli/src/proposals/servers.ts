import type { JsonObject } from '@proffer/core/json';
import type { ProposalView } from './proposal-view.js';
import { definitionsIn, type Present } from './served.js';

/** A participant that serves the tool or prompt of a proposal. */
interface Server {
  readonly name: string;
  /** The tool or prompt as that participant announces it. */
  readonly definition: JsonObject;
}

/**
 * The participants that serve a proposal's tool or prompt. Empty for a resource: resources described by a
 * template are not listed.
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

/** Who served the tool of a proposal before this executor, which would run it for the first time. */
export function predecessorIn(
  { wouldRun }: Pick<ProposalView, 'wouldRun'>,
  executor = wouldRun?.name,
): string | undefined {
  if (wouldRun === undefined || executor === undefined) return undefined;
  const { name, insteadOf, newcomers = {} } = wouldRun;
  return executor === name ? insteadOf : newcomers[executor];
}

/**
 * The executor, if it serves the tool now: an approval can name it. `undefined` if unknown. A participant
 * that does not announce the tool must not be named: the gateway trusts an approval about who can run
 * something.
 */
export function executorOf(
  proposal: Pick<ProposalView, 'subject' | 'wouldRun'>,
  members: readonly Present[] | undefined,
): string | undefined {
  const servers = members === undefined ? [] : serversOf(proposal, members);
  const name = proposal.wouldRun?.name ?? (servers.length === 1 ? servers[0]?.name : undefined);
  return servers.some((server) => server.name === name) ? name : undefined;
}
