import {
  DEFAULT_JSON_LIMITS,
  defined,
  isJsonObject,
  type JsonObject,
  quote,
  toJson,
} from '@proffer/core/json';
import { objectAt, type RpcId, type RpcRequest } from '../json-rpc.js';
import { CAPABILITIES_KEY, CLIENT_KEY, isModern, requestMeta, takesTasks, VERSION_KEY } from '../revision.js';
import type { TaskSupport } from './tools/index.js';
import { TRUST_TOOL } from './wait-tool.js';

/** The `_meta` keys that MCP reserves in a request: about the connection, and about progress. */
const TRANSPORT: ReadonlySet<string> = new Set([
  VERSION_KEY,
  CLIENT_KEY,
  CAPABILITIES_KEY,
  'io.modelcontextprotocol/logLevel',
  'traceparent',
  'tracestate',
]);

/** How many names are listed at most. */
const MAX_NAMES = 5;

/**
 * The parts of a call's `_meta` that go to the server although the approver has not seen them: transport data only,
 * nothing that a tool could take for an argument. The progress token is the guard's own.
 */
export function transportMeta(meta: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(meta).filter(([key]) => TRANSPORT.has(key)));
}

/**
 * Logs, once per key, what is removed from the `_meta` of a call: a server may want it.
 *
 * @param log - called with the line
 */
export function createMetaNotice(log: (line: string) => void): (meta: JsonObject) => void {
  let isSaid = false;
  return (meta) => {
    const left = Object.keys(meta).filter((key) => key !== 'progressToken' && !TRANSPORT.has(key));
    if (isSaid || left.length === 0) return;
    isSaid = true;
    const names = left.slice(0, MAX_NAMES).map(quote).join(', ');
    log(
      `For calls that need approval, _meta (${names}${left.length > MAX_NAMES ? ', …' : ''}) is not sent to the server, because reviewers do not see it.`,
    );
  };
}

/** The maximum length of a tool name, in characters: it is repeated in answers, proposals and records. */
export const LONGEST_NAME = 1_024;

/** A `tools/call` as the guard sees it. */
export interface GuardedToolCall {
  readonly tool: string;
  readonly arguments: JsonObject;
  /** All params. They reach the server as they are if the rules allow the call. */
  readonly params: JsonObject;
  /** The caller's progress token. */
  readonly progressToken?: RpcId;
  /** Whether the sender accepts a task as the answer (2026-07-28). */
  readonly takesTask: boolean;
  /** Whether its revision requires a type on every result (2026-07-28). */
  readonly isModern: boolean;
}

/** The params that a call may have, in any revision. */
const PARAMS: ReadonlySet<string> = new Set([
  'name',
  'arguments',
  '_meta',
  'task',
  'requestState',
  'inputResponses',
]);

/**
 * Reads the call in a request, or says what is wrong with one that parsers might read differently: extra params that
 * some parsers take for the real ones (other capitals, lookalike letters), a name that is not text or is too long,
 * arguments that are not an object.
 */
export function readToolCall(request: RpcRequest): GuardedToolCall | { readonly problem: string } {
  const { params } = request;
  if (!isJsonObject(params)) return { problem: 'The params of a call must be an object.' };
  const odd = Object.keys(params).find((key) => !PARAMS.has(key));
  if (odd !== undefined) return { problem: `${quote(odd)} is not a param of a tool call.` };
  const { name, arguments: args } = params;
  if (typeof name !== 'string') return { problem: 'The name of a tool must be a string.' };
  if (name.length > LONGEST_NAME)
    return { problem: `The name of a tool has at most ${LONGEST_NAME} characters; this has ${name.length}.` };
  if (name === TRUST_TOOL) return { problem: `${TRUST_TOOL} is for reviewers, not for callers.` };
  if (args !== undefined && !isJsonObject(args))
    return { problem: 'The arguments of a tool must be an object.' };
  const { progressToken } = objectAt(params, '_meta');
  const hasToken = typeof progressToken === 'string' || typeof progressToken === 'number';
  return {
    tool: name,
    arguments: args ?? {},
    params,
    ...(hasToken ? { progressToken } : {}),
    takesTask: takesTasks(params),
    isModern: isModern(params),
  };
}

/** What goes to the server besides the approved arguments. */
export interface RunParams {
  /** The guard's own progress token, if the caller wants progress. */
  readonly progressToken: string;
  /** The task that the server is asked for. */
  readonly task?: JsonObject;
  /** What a later round carries, in place of the call's own values. */
  readonly more?: JsonObject;
}

/**
 * The params that go to the server: what was approved, and of the rest only what belongs to the protocol, since no
 * reviewer has seen it.
 */
export function paramsToRun(
  call: GuardedToolCall,
  approved: JsonObject,
  { progressToken, task, more }: RunParams,
): JsonObject {
  const { requestState, inputResponses } = call.params;
  const brought = defined({ requestState, inputResponses });
  const meta = {
    ...transportMeta(objectAt(call.params, '_meta')),
    ...(call.progressToken === undefined ? {} : { progressToken }),
  };
  const isEmpty = Object.keys(meta).length === 0;
  return {
    ...(more ?? brought),
    ...defined({ task }),
    name: call.tool,
    arguments: approved,
    ...(isEmpty ? {} : { _meta: meta }),
  };
}

/**
 * The task that the server is asked for (2025-11-25): the one that the caller asked for, or any if the tool
 * only runs as a task. The waiting caller need not be the one that asked first.
 */
export function taskToAskFor(call: GuardedToolCall, support: TaskSupport): JsonObject | undefined {
  const { task } = call.params;
  if (isJsonObject(task)) return task;
  return !call.isModern && support.of(call.tool) === 'required' ? {} : undefined;
}

/**
 * Whether the answer to a call should be a task (2025-11-25): it asks for one, and the tool supports them.
 */
export function asksForTask(call: GuardedToolCall, support: TaskSupport): boolean {
  return !call.isModern && isJsonObject(call.params['task']) && support.of(call.tool) !== undefined;
}

/**
 * How long the caller wants its task to be available (2025-11-25), in milliseconds; `undefined` if it does
 * not say.
 */
export function requestedTtl({ params, isModern: isOfModern }: GuardedToolCall): number | undefined {
  const { ttl } = isOfModern ? {} : objectAt(params, 'task');
  return typeof ttl === 'number' ? ttl : undefined;
}

/**
 * A call as it is kept while it waits: with the arguments of the call that it joins, and without anything that never
 * reaches the server.
 */
export function asHeld(
  call: GuardedToolCall,
  { arguments: args }: Pick<GuardedToolCall, 'arguments'>,
): GuardedToolCall {
  const { _meta, ...own } = call.params;
  const meta = transportMeta(objectAt(call.params, '_meta'));
  return { ...call, arguments: args, params: { ...own, arguments: args, _meta: meta } };
}

/** A call of an earlier run as if the guard had just made it for the returning caller (2026-07-28). */
export function asIfMadeAgain({
  tool,
  arguments: args,
}: Pick<GuardedToolCall, 'tool' | 'arguments'>): GuardedToolCall {
  const params = { name: tool, arguments: args, _meta: requestMeta({ name: 'proffer-guard', version: '1' }) };
  return { tool, arguments: args, params, takesTask: false, isModern: true };
}

/**
 * A call with a waiting caller, as if that caller had made it: if it is approved now, it runs for them. What they sent
 * for another round of something else is dropped.
 */
export function asIfAsked(
  waiting: GuardedToolCall,
  call: Pick<GuardedToolCall, 'tool' | 'arguments'>,
): GuardedToolCall {
  const { tool, arguments: args } = call;
  const { requestState: _state, inputResponses: _answers, ...own } = waiting.params;
  return { ...waiting, tool, arguments: args, params: { ...own, name: tool, arguments: args } };
}

/** Bytes reserved for the rest of a message. */
const SPARE = 4_096;

/** The default maximum of a message to a gateway, in bytes. */
export const LARGEST_PAYLOAD = DEFAULT_JSON_LIMITS.maxBytes - SPARE;

/**
 * Why a call cannot be proposed: it is larger or nested deeper than a gateway accepts by default, or contains
 * something that a gateway never accepts (O-5). `undefined` if it can be.
 */
export function limitOnProposal(tool: string, args: JsonObject): string | undefined {
  const limits = { ...DEFAULT_JSON_LIMITS, maxBytes: LARGEST_PAYLOAD };
  const read = toJson({ payload: { params: { name: tool, arguments: args } } }, limits);
  return read.ok ? undefined : read.refusal.message;
}

/** The maximum size of what a held call carries besides its arguments, in characters (I-7). */
const MAX_EXTRAS = 262_144;

/** Why a call cannot be held: as {@link limitOnProposal}, or because it carries too much besides its arguments. */
export function limitOnCall({ tool, arguments: args, params }: GuardedToolCall): string | undefined {
  const { arguments: _, ...beside } = params;
  const { length } = JSON.stringify(beside);
  if (length > MAX_EXTRAS)
    return `The call has ${length} characters besides its arguments; at most ${MAX_EXTRAS} are kept while it is waiting.`;
  return limitOnProposal(tool, args);
}
