import { digestJson } from '@proffer/core';
import { type JsonObject } from '@proffer/core/json';

/** A question whether a changed tool may be trusted. */
export interface TrustQuestion {
  /** The proposal. Each change has its own, so that an old answer does not apply to a new question. */
  readonly id: string;
  /** Who asked: guards of one name share their pins. */
  readonly by: string;
  /** The digest of the definition that it is about. */
  readonly is: string;
  /** When it ended without a yes, in milliseconds since 1970. */
  readonly closedAt?: number;
}

/** A trusted tool: as its server showed it first, or as someone accepted it since. */
export interface ToolPin {
  readonly definition: JsonObject;
  /** About the tool's latest change. */
  readonly question?: TrustQuestion;
}

/** Pins by tool name. */
export type ToolPins = ReadonlyMap<string, ToolPin>;

/** The fields that callers and approvers rely on: a change to any of them makes it a different tool. */
export function pinOf({
  name,
  title,
  description,
  inputSchema,
  outputSchema,
  annotations,
}: JsonObject): JsonObject {
  const kept = Object.entries({ name, title, description, inputSchema, outputSchema, annotations });
  return Object.fromEntries(kept.filter(([, value]) => value !== undefined));
}

/** The digest for comparing pins. */
export function pinDigest(pin: JsonObject): string {
  return digestJson(pinOf(pin));
}
