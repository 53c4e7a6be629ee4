/** A tool as the rules of a guard see it. */
export interface GuardedTool {
  readonly server: string;
  readonly tool: string;
}

/**
 * What a guard proposes, in the words of its rules. A guard announces and proposes the tools of its server
 * as `SERVER/TOOL`, or `GUARD/SERVER/TOOL` where its own name is another (O-26). Nothing for a tool that is
 * not a guard's: only what somebody proposes to run itself can be, so that nobody passes for the server of
 * another.
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
  return found.server === '' || found.tool === '' ? undefined : found;
}
