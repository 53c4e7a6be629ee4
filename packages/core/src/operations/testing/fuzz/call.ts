import type { JsonObject } from '../../../json/json.js';
import type { Random } from './random.js';

/** A call, as the judge distinguishes calls. */
export interface Call {
  readonly tool: string;
  readonly size: number;
  readonly path: string;
}

export const TOOLS = ['write_file', 'pay'] as const;
const SIZES = [1, 5, 9] as const;
const PATHS = ['/tmp/a', '/etc/b'] as const;

export function randomCall(random: Random, tool: string = random.pick(TOOLS)): Call {
  return { tool, size: random.pick(SIZES), path: random.pick(PATHS) };
}

export function paramsOf({ tool, size, path }: Call): JsonObject {
  return { name: tool, arguments: { size, path } };
}

/** The call that params are about. */
export function callIn(params: unknown): Call {
  const { name, arguments: args } = params as { name: string; arguments: { size: number; path: string } };
  return { tool: name, size: args.size, path: args.path };
}

export function isSame(one: Call, other: Call): boolean {
  return one.tool === other.tool && one.size === other.size && one.path === other.path;
}

/** The digest of a call, computed by hand: method and params with sorted keys (O-25). */
export function digestOf({ tool, size, path }: Call): string {
  const text = `{"method":"tools/call","params":{"arguments":{"path":"${path}","size":${size}},"name":"${tool}"}}`;
  return `sha256:${cheapHash(text)}`;
}

/**
 * Different texts have different hashes here, which is all that is needed: the real one takes most of
 * the time.
 */
export function cheapHash(text: string): string {
  let hash = 0;
  for (let index = 0; index < text.length; index++) hash = (Math.imul(hash, 31) + text.charCodeAt(index)) | 0;
  return (hash >>> 0).toString(16).padStart(64, '0');
}
