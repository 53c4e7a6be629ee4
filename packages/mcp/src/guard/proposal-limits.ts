import { DEFAULT_JSON_LIMITS, type JsonObject, toJson } from '@proffer/core';

/** Left for the rest of the message that a call is proposed in, in bytes. */
const SPARE = 4_096;

/**
 * Why a call cannot be proposed: it is larger or nested deeper than a gateway takes by default, or has
 * something in it that a gateway does not take at all (O-5). Nothing if it can be.
 */
export function limitOnProposal(tool: string, args: JsonObject): string | undefined {
  const limits = { ...DEFAULT_JSON_LIMITS, maxBytes: DEFAULT_JSON_LIMITS.maxBytes - SPARE };
  const read = toJson({ payload: { params: { name: tool, arguments: args } } }, limits);
  return read.ok ? undefined : read.refusal.message;
}
