import { digestJson } from '@proffer/core';
import { type JsonObject } from '@proffer/core/json';

/** That somebody was asked whether a tool may be what it has become. */
export interface TrustQuestion {
  /** The proposal. Each time that a tool changes has its own, so that an old answer is none to a new question. */
  readonly id: string;
  /** Who asked: guards of one name share their pins. */
  readonly by: string;
  /** The digest of the definition that it is about. */
  readonly is: string;
  /** When it ended without a yes, in milliseconds since 1970. */
  readonly closedAt?: number;
}

/** A tool as it is trusted: as its server showed it first, or as somebody accepted it since. */
export interface ToolPin {
  readonly definition: JsonObject;
  /** About what the tool has become since then. */
  readonly question?: TrustQuestion;
}

/** Pins by the name of the tool. */
export type ToolPins = ReadonlyMap<string, ToolPin>;

/** What a caller and an approver go by: changing any of it makes another tool of it. */
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

/** The digest that a pin is compared by. */
export function pinDigest(pin: JsonObject): string {
  return digestJson(pinOf(pin));
}
