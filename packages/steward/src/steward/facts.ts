import type { Member, PendingProposal } from '@proffer/client/participation';
import { subjectOf } from '@proffer/core';
import { defined, isJsonArray, isJsonObject, type JsonObject } from '@proffer/core/json';
import type { CallFacts, ToolAnnotations } from '../rules/call-facts.js';

/** What rules know about an operation, wherever it was proposed. */
export type OperationFacts = Pick<CallFacts, 'method' | 'tool' | 'arguments'>;

/**
 * The tool and the arguments of an operation, as rules see them. A method other than `tools/call`
 * counts as a tool of that name, with its params as arguments. `undefined` if the arguments are not
 * an object: no rule can judge them.
 */
export function operationFacts(method: string, params: JsonObject = {}): OperationFacts | undefined {
  if (method !== 'tools/call') return { method, tool: method, arguments: params };
  const { name, arguments: given = {} } = params;
  return typeof name === 'string' && isJsonObject(given) ? { tool: name, arguments: given } : undefined;
}

/** A participant that would run an operation, and its hints about the tool. */
export interface ProspectiveServer {
  readonly name: string;
  readonly annotations?: ToolAnnotations;
}

/**
 * Who would run an operation (O-26): the executor named in the proposal, which need not announce its
 * tools; else the only one present that serves it; among several, the only one the proposal is
 * addressed to. `undefined` if that is ambiguous, or none of them is present.
 */
export function serverOf(
  { method, params, to, executor }: Pick<PendingProposal, 'method' | 'params' | 'to' | 'executor'>,
  members: readonly Member[],
): ProspectiveServer | undefined {
  const subject = subjectOf(method, params);
  if (subject === undefined) return undefined;
  const key = subject.list === 'resources' ? 'uri' : 'name';
  const serving = members.flatMap(({ id, serves }) => {
    const list = serves[subject.list];
    const definition = isJsonArray(list)
      ? list.filter(isJsonObject).find((one) => one[key] === subject.name)
      : undefined;
    return definition === undefined ? [] : [{ id, definition }];
  });
  if (executor !== undefined && !members.some(({ id }) => id === executor)) return undefined;
  const named = executor === undefined ? to : [executor];
  const isNarrowed = executor !== undefined || serving.length > 1;
  const [one, ...others] = isNarrowed ? serving.filter(({ id }) => named.includes(id)) : serving;
  if (one === undefined && executor !== undefined) return { name: executor };
  if (one === undefined || others.length > 0) return undefined;
  const { annotations } = one.definition;
  return {
    name: one.id,
    ...(isJsonObject(annotations) ? { annotations } : {}),
  };
}

/** Everything that rules look at; `undefined` if no rule can judge it. */
export function factsOf(
  proposal: Pick<PendingProposal, 'proposer' | 'method' | 'params' | 'origin'>,
  server: ProspectiveServer | undefined,
  time: number,
): CallFacts | undefined {
  const operation = operationFacts(proposal.method, proposal.params);
  if (operation === undefined) return undefined;
  const { name, annotations } = server ?? {};
  const isCall = name !== undefined && proposal.method === 'tools/call';
  const guarded = isCall ? guardedTool(proposal.proposer, name, operation.tool) : undefined;
  const { client, user } = proposal.origin ?? {};
  return {
    participant: proposal.proposer,
    ...defined({ client, user, server: name }),
    ...operation,
    ...guarded,
    ...defined({ annotations }),
    time,
  };
}

/** A tool as a guard's rules see it. */
interface GuardedTool {
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
function guardedTool(proposer: string, executor: string, name: string): GuardedTool | undefined {
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
