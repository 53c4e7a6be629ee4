import { isJsonObject } from '@proffer/core/json';
import { looksLikeGuards, type ProposalView } from './proposal-view.js';
import { type Present, serversOf } from './served.js';

/**
 * Why a proposal could not run if it were approved now, or what makes that doubtful; `undefined` if no reason is known.
 * May contain text from others; make it visible before showing it.
 *
 * @param members - who is in the space
 */
export function doubtAbout(
  { id, proposer, subject, wouldRun }: Pick<ProposalView, 'id' | 'proposer' | 'subject' | 'wouldRun'>,
  members: readonly Present[],
): string | undefined {
  const isGuards = looksLikeGuards(id);
  if (isGuards && !members.some((member) => member.id === proposer)) return `${proposer} is not connected`;
  // Resources described by a template are not listed.
  if (subject === undefined || subject.list === 'resources') return undefined;
  const [found] = serversOf({ subject }, members);
  // An agent that runs its own calls announces nothing.
  if (found === undefined && !isGuards && wouldRun !== undefined)
    return wouldRun.isConnected ? undefined : `${wouldRun.name} is not connected`;
  if (found === undefined)
    return isGuards ? `${proposer} does not serve this tool now` : 'nobody serves it now';
  const { description, annotations, inputSchema } = found.definition;
  const isBare = isJsonObject(inputSchema) && Object.keys(inputSchema).every((key) => key === 'type');
  // A guard announces tools that are called but not listed by name only: the server alone knows whether it has them.
  const isUnlisted = isGuards && isBare && description === undefined && annotations === undefined;
  return isUnlisted ? 'its server lists no such tool, or says nothing about it' : undefined;
}
