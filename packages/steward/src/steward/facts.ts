import type { Member, PendingProposal } from '@proffer/client/participation';
import { subjectOf } from '@proffer/core';
import { isJsonArray, isJsonObject, type JsonObject } from '@proffer/core/json';
import type { CallFacts, ToolAnnotations } from '../rules/call-facts.js';
import { guardedTool } from './guarded-tool.js';

/** What rules know about an operation, wherever it was proposed. */
export type OperationFacts = Pick<CallFacts, 'method' | 'tool' | 'arguments'>;

/**
 * What rules call the tool and the arguments of an operation. Another method than `tools/call` is a tool of its own
 * name, and its params are the arguments. `undefined` when the arguments are no object: no rule can say anything about
 * them.
 */
export function operationFacts(method: string, params: JsonObject = {}): OperationFacts | undefined {
  if (method !== 'tools/call') return { method, tool: method, arguments: params };
  const { name, arguments: given = {} } = params;
  return typeof name === 'string' && isJsonObject(given) ? { tool: name, arguments: given } : undefined;
}

/** Someone who would run an operation, and what it says about the tool. */
export interface Server {
  readonly name: string;
  readonly annotations?: ToolAnnotations;
}

/**
 * Who would run an operation (O-26): whom the proposal names as its executor, which need not announce what it serves;
 * else the only one present that serves it; among several, the only one that the proposal is addressed to. `undefined`
 * if that is not clear, or none of them is present.
 */
export function serverOf(
  { method, params, to, executor }: Pick<PendingProposal, 'method' | 'params' | 'to' | 'executor'>,
  members: readonly Member[],
): Server | undefined {
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

/** Everything that rules look at; `undefined` when no rule can say anything about it. */
export function factsOf(
  proposal: Pick<PendingProposal, 'proposer' | 'method' | 'params' | 'origin'>,
  server: Server | undefined,
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
    ...(client === undefined ? {} : { client }),
    ...(user === undefined ? {} : { user }),
    ...(name === undefined ? {} : { server: name }),
    ...operation,
    ...guarded,
    ...(annotations === undefined ? {} : { annotations }),
    time,
  };
}
