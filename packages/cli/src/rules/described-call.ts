import { defined, isJsonObject, type JsonObject, objectOf } from '@proffer/core/json';
import type { CallFacts } from '@proffer/steward';
import { operationFacts } from '@proffer/steward/guard';
import { parseObject } from '../arguments.js';
import { usageFailure } from '../command-failure.js';

/** Options that describe a call, as given on the command line. */
export interface DescribedCall {
  readonly tool?: string;
  readonly resource?: string;
  readonly prompt?: string;
  readonly args?: string;
  readonly participant?: string;
  readonly client?: string;
  readonly user?: string;
  readonly server?: string;
  readonly annotations?: string;
  readonly time?: number;
}

/** The call described by the options; nothing if they name none. */
export function describedCall(options: DescribedCall & { readonly tool: string }, now: number): CallFacts;
export function describedCall(options: DescribedCall, now: number): CallFacts | undefined;
export function describedCall(options: DescribedCall, now: number): CallFacts | undefined {
  const operation = operationIn(options);
  return operation === undefined ? undefined : { ...circumstances(options, now), ...operation };
}

/**
 * The call in a JSON object: params as MCP has them (`name` and `arguments`), or a request with `method` and `params`,
 * and the same fields as the options.
 */
export function callInJson(text: string, options: DescribedCall, now: number): CallFacts {
  const given = parseObject(text, 'CALL');
  const about = { ...textsIn(given), ...options };
  const where = defined({ server: about.server });
  const { method, params, name, tool = name, arguments: args = {} } = given;
  const operation =
    typeof method === 'string'
      ? operationFacts(method, objectOf(params))
      : operationFacts('tools/call', { name: tool, arguments: args });
  if (operation === undefined) {
    throw usageFailure('CALL names no tool, or its arguments are not an object.', [EXAMPLE]);
  }
  const isTool = operation.method === undefined;
  return {
    ...circumstances(about, now),
    ...where,
    ...operation,
    ...(isTool ? toolAndServer(operation.tool, about.server) : {}),
  };
}

function circumstances(options: DescribedCall, now: number): Pick<CallFacts, 'participant' | 'time'> {
  const { client, user } = options;
  const annotations = options.annotations && parseObject(options.annotations, '--annotations');
  return {
    participant: options.participant ?? 'agent',
    ...defined({ client, user }),
    ...(isJsonObject(annotations) ? { annotations } : {}),
    time: options.time ?? now,
  };
}

const EXAMPLE = `'{"name":"write_file","arguments":{"path":"/tmp/a"}}'`;

function textsIn(given: JsonObject): DescribedCall {
  const texts = ['participant', 'client', 'user', 'server'].flatMap((key) =>
    typeof given[key] === 'string' ? [[key, given[key]] as const] : [],
  );
  return Object.fromEntries(texts);
}

function operationIn(
  options: DescribedCall,
): Pick<CallFacts, 'method' | 'tool' | 'arguments' | 'server'> | undefined {
  const { tool, resource, prompt, server } = options;
  const args = options.args === undefined ? {} : parseObject(options.args, '--args');
  if ([tool, resource, prompt].filter((one) => one !== undefined).length > 1) {
    throw usageFailure('--tool, --resource and --prompt each name a call; use only one of them.');
  }
  if (tool !== undefined) return { ...toolAndServer(tool, server), arguments: args };
  const where = defined({ server });
  if (resource !== undefined) {
    return { ...where, method: 'resources/read', tool: 'resources/read', arguments: { uri: resource } };
  }
  if (prompt === undefined) return undefined;
  return {
    ...where,
    method: 'prompts/get',
    tool: 'prompts/get',
    arguments: { name: prompt, arguments: args },
  };
}

/** A tool as shown in the inbox is prefixed with its server. */
function toolAndServer(tool: string, server: string | undefined): Pick<CallFacts, 'tool' | 'server'> {
  const slash = tool.indexOf('/');
  if (server !== undefined) return { tool, server };
  return slash <= 0 ? { tool } : { server: tool.slice(0, slash), tool: tool.slice(slash + 1) };
}
