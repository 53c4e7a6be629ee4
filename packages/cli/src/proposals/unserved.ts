import { isJsonArray, textOf } from '@proffer/core/json';
import { nearest } from '@proffer/reading/nearest';
import { CommandFailure } from '../command-failure.js';
import type { GatewayConnection } from '../connection/connection.js';
import { sameOptions } from '../connection/endpoint.js';
import { commandAbout, shellWord } from '../terminal/shell.js';
import { looksLikeGuards, type ProposalView } from './proposal-view.js';
import { membersNow, type Present, servedNow } from './served.js';

/** The served name that was probably meant: with or without the server's name, or similar. */
export function servedLike(name: string, served: readonly string[]): string | undefined {
  return served.find((one) => bareName(one) === bareName(name)) ?? nearest(name, served);
}

function bareName(name: string): string {
  return name.slice(name.lastIndexOf('/') + 1);
}

/** Advice for an approval that nobody is connected to run; any other error unchanged. */
export async function explainUnserved(
  error: unknown,
  { id, proposer, subject }: Pick<ProposalView, 'id' | 'proposer' | 'subject'>,
  connection: GatewayConnection,
): Promise<unknown> {
  const { endpoint } = connection;
  if (!(error instanceof CommandFailure)) return error;
  const { failure } = error;
  if (failure.code === 'new_executor') return explainNewcomer(error, id, connection);
  const { candidates } = failure.details ?? {};
  const isUnserved =
    failure.code === 'ambiguous_executor' && isJsonArray(candidates) && candidates.length === 0;
  if (!isUnserved && failure.code !== 'executor_absent') return error;
  const isGuards = looksLikeGuards(id);
  // Naming another executor does not help if there is none, nor with a guard, which alone can run its calls.
  const message = isUnserved
    ? `Nobody here serves ${JSON.stringify(subject?.name ?? '')}.`
    : isGuards
      ? `${JSON.stringify(proposer)}, which would run it, is not connected; nothing was approved.`
      : failure.message;
  const again = 'the proposal stays pending until it expires or is withdrawn.';
  if (isGuards) {
    // A participant that has just lost its connection still counts as present.
    const members = isUnserved ? await membersNow(endpoint) : [];
    return new CommandFailure(
      { ...failure, message, next: [`${guardNow(proposer, members)}; ${again}`] },
      error,
    );
  }
  if (!isUnserved || subject === undefined || subject.list === 'resources') return error;
  const meant = servedLike(subject.name, (await servedNow(endpoint, subject.list)) ?? []);
  const next = [
    ...(meant === undefined ? [] : [`Did you mean ${meant}, which is served? Propose it under that name.`]),
    `Start a participant that serves it; ${again}`,
  ];
  return new CommandFailure({ ...failure, message, next }, error);
}

/** How to let somebody new run a call: by name. */
function explainNewcomer(
  { failure }: CommandFailure,
  id: string,
  { name, endpoint }: GatewayConnection,
): CommandFailure {
  const [executor, before] = ['executor', 'insteadOf'].map((key) => textOf(failure.details?.[key]));
  const options = `${sameOptions(endpoint)} --to ${shellWord(executor ?? '')}`;
  const again = commandAbout(`${name} approve`, [id], { options });
  const message = `${JSON.stringify(executor)} would run ${JSON.stringify(id)} for the first time; ${JSON.stringify(before)} served this tool before. Nothing was approved.`;
  return new CommandFailure({
    ...failure,
    message,
    next: [`${again}   # lets ${JSON.stringify(executor)} run this tool from now on`],
  });
}

/** What is known about a guard whose tool nobody serves, and what to do about it. */
function guardNow(name: string, members: readonly Present[] | undefined): string {
  if (members === undefined)
    return `Could not find out whether the guard ${name} is connected. Make sure that it and its MCP client are running, then approve again`;
  const guard = members.find(({ id }) => id === name);
  if (guard === undefined)
    return `The guard ${name} is not connected. If it does not reconnect by itself, restart it or its MCP client, then approve again`;
  const { tools } = guard.serves;
  const isServing = isJsonArray(tools) && tools.length > 0;
  return isServing
    ? `The guard ${name} is connected but does not offer this tool now. Its server may have dropped it, or the guard has not announced it yet (see the guard's log). Wait a little or make the call again, then approve again`
    : `The guard ${name} is connected, but has not announced any tools yet. It does so once an MCP client has connected and its server has listed them; see the guard's log. Then approve again`;
}
