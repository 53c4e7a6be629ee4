/** A tool as the rules of a guard see it. */
export interface GuardedTool {
  readonly server: string;
  readonly tool: string;
  /** The name of the server, if the guard's name has a number after it because it is not the only one. */
  readonly alias?: string;
}

/**
 * What a guard proposes, in terms of its rules. A guard announces and proposes the tools of its server as
 * `SERVER/TOOL`, or `GUARD/SERVER/TOOL` where its own name is another (O-26). `undefined` for a tool that is not a
 * guard's: only a call that its proposer runs itself can be, so that no one can pass for another's server.
 *
 * @param executor - the participant that announced the tool
 */
export function guardedTool(proposer: string, executor: string, name: string): GuardedTool | undefined {
  if (proposer !== executor || !name.startsWith(`${executor}/`)) return undefined;
  const rest = name.slice(executor.length + 1);
  const slash = rest.indexOf('/');
  const found =
    slash === -1
      ? { server: executor, tool: rest }
      : { server: rest.slice(0, slash), tool: rest.slice(slash + 1) };
  if (found.server === '' || found.tool === '') return undefined;
  const alias = guardAlias(executor, found.server);
  return alias === undefined ? found : { ...found, alias };
}

/**
 * What rules may call a guard besides its name: `files` for `files-2`, which a guard of the server `files` is called
 * when another has that name already.
 */
export function guardAlias(guard: string, server: string): string | undefined {
  return guard.startsWith(`${server}-`) && /^\d{1,9}$/.test(guard.slice(server.length + 1))
    ? server
    : undefined;
}
