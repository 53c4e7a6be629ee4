import { isJsonObject, type JsonObject, quote } from '@proffer/core';
import { objectAt, paramsOf, type RpcId, type RpcRequest } from '../json-rpc.js';
import { isModern, takesTasks } from '../revision.js';

/** The tool with which a changed definition is accepted: proposed by the guard, approved like any other. */
export const TRUST_TOOL = 'proffer_trust';

/** A `tools/call` as a guard looks at it. */
export interface ToolCall {
  readonly tool: string;
  readonly arguments: JsonObject;
  /** All params, also those that a guard knows nothing of; they reach the server as they are. */
  readonly params: JsonObject;
  /** Where the caller wants to hear of progress. */
  readonly progressToken?: RpcId;
  /** Whether the request says that its sender can deal with a task as its answer (2026-07-28). */
  readonly takesTask: boolean;
  /** Whether it is of a revision in which every result names its type (2026-07-28). */
  readonly isModern: boolean;
}

/** Reads the call in a request; nothing if it names no tool. */
export function readToolCall(request: RpcRequest): ToolCall | undefined {
  const params = paramsOf(request);
  const { name } = params;
  if (typeof name !== 'string') return undefined;
  const { progressToken } = objectAt(params, '_meta');
  const hasToken = typeof progressToken === 'string' || typeof progressToken === 'number';
  return {
    tool: name,
    arguments: objectAt(params, 'arguments'),
    params,
    ...(hasToken ? { progressToken } : {}),
    takesTask: takesTasks(params),
    isModern: isModern(params),
  };
}

/**
 * What is wrong with a call that readers might take for different ones: arguments that are no object, and
 * names of params in other capitals, which some readers take for the real ones. Nothing if all is well.
 */
export function problemWith({ tool, params }: Pick<ToolCall, 'tool' | 'params'>): string | undefined {
  if (tool === TRUST_TOOL) return `${TRUST_TOOL} is for those who approve, not for callers.`;
  const args = params['arguments'];
  if (args !== undefined && !isJsonObject(args)) return 'The arguments of a tool have to be an object.';
  const odd = Object.keys(params).find(
    (key) => /^(?:name|arguments)$/i.test(key) && key !== key.toLowerCase(),
  );
  return odd === undefined ? undefined : `${quote(odd)} has to be written in small letters.`;
}

/**
 * The params that go to the server: what was approved, and whatever else the caller sent with it.
 *
 * @param progressToken - the guard's own, where the caller wants to hear of progress
 */
export function paramsToRun(call: ToolCall, approved: JsonObject, progressToken: string): JsonObject {
  const meta = objectAt(call.params, '_meta');
  return {
    ...call.params,
    name: call.tool,
    arguments: approved,
    ...(call.progressToken === undefined ? {} : { _meta: { ...meta, progressToken } }),
  };
}
