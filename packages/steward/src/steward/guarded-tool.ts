/** A tool as a guard's rules see it. */
export interface GuardedTool {
  readonly server: string;
  readonly tool: string;
  /** The server's name, if the guard's name has a number after it because there are several. */
  readonly alias?: string;
}

/**
 * A guard's proposal, in terms of its rules. A guard announces and proposes its server's tools as
 * `SERVER/TOOL`, or `GUARD/SERVER/TOOL` if its own name differs (O-26). `undefined` for other tools:
 * only a call that its proposer runs itself can be a guard's, so that no one can pass for another's
 * server.
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
 * What rules may call a guard besides its name: `files` for `files-2`, which is what a guard of the
 * server `files` is called if the name is taken.
 */
export function guardAlias(guard: string, server: string): string | undefined {
  return guard.startsWith(`${server}-`) && /^\d{1,9}$/.test(guard.slice(server.length + 1))
    ? server
    : undefined;
}
