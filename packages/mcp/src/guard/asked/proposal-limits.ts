import { DEFAULT_JSON_LIMITS, type JsonObject, toJson } from '@proffer/core/json';
import type { GuardedToolCall } from './tool-call.js';

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
    return `It has ${length} characters besides its arguments; at most ${MAX_EXTRAS} are kept while it waits.`;
  return limitOnProposal(tool, args);
}
