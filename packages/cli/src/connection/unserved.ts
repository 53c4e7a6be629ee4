import { isJsonArray } from '@proffer/core/json';
import { nearest } from '@proffer/reading/nearest';
import { CommandFailure } from '../command-failure.js';
import type { Connection } from './connection.js';
import { looksLikeGuards } from './guard-id.js';
import type { ProposalView } from './proposal-view.js';
import { membersNow, servedNow } from './served.js';

/** The name among those that are served which was probably meant: with or without the name of a server, or near it. */
export function servedLike(name: string, served: readonly string[]): string | undefined {
  return served.find((one) => bareName(one) === bareName(name)) ?? nearest(name, served);
}

function bareName(name: string): string {
  return name.slice(name.lastIndexOf('/') + 1);
}

/** What helps where nobody is there to run what was approved; any other error as it is. */
export async function explainUnserved(
  error: unknown,
  { id, proposer, subject }: Pick<ProposalView, 'id' | 'proposer' | 'subject'>,
  { endpoint }: Connection,
): Promise<unknown> {
  if (!(error instanceof CommandFailure)) return error;
  const { failure } = error;
  const { candidates } = failure.details ?? {};
  const isUnserved =
    failure.code === 'ambiguous_executor' && isJsonArray(candidates) && candidates.length === 0;
  if (!isUnserved && failure.code !== 'executor_absent') return error;
  const again = 'the proposal stays pending until it expires or is withdrawn.';
  if (looksLikeGuards(id)) {
    const members = (await membersNow(endpoint)) ?? [];
    const next = members.some((member) => member.id === proposer)
      ? `The guard ${proposer} is there, but has no such tool: no MCP client has asked it for its tools yet, or its server has this one no more. Connect its client, then approve again; ${again}`
      : `The guard ${proposer} is not there. Start it, or its MCP client, again; ${again}`;
    return new CommandFailure({ ...failure, next: [next] }, error);
  }
  if (!isUnserved || subject === undefined || subject.list === 'resources') return error;
  const meant = servedLike(subject.name, (await servedNow(endpoint, subject.list)) ?? []);
  const next = [
    ...(meant === undefined
      ? []
      : [`Did you mean ${meant}, which is served? It has to be proposed by that name.`]),
    `Start whoever serves it; ${again}`,
  ];
  return new CommandFailure({ ...failure, next }, error);
}
