import type { JsonObject } from '@proffer/core';
import type { ProposalView } from './proposal-view.js';
import { definitionsIn, type Present } from './served.js';

/** Somebody who serves what a proposal is about. */
export interface Server {
  readonly name: string;
  /** The tool or prompt as that participant announces it. */
  readonly definition: JsonObject;
}

/**
 * Who in the space serves what a proposal is about. Nobody for a resource: what a template describes is in no list.
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

/** The one who would run it; nothing where that is not known, or several could. */
export function executorOf(
  proposal: Pick<ProposalView, 'subject'>,
  members: readonly Present[] | undefined,
): string | undefined {
  const [only, ...others] = members === undefined ? [] : serversOf(proposal, members);
  return others.length === 0 ? only?.name : undefined;
}
