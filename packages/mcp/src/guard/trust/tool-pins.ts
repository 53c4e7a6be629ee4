import { digestJson } from '@proffer/core';
import { defined, type JsonObject } from '@proffer/core/json';
import { hasHints } from '../../hints.js';
import { textAt } from '../../json-rpc.js';
import { LONGEST_NAME } from '../tool-call.js';
import { isReserved } from '../wait-tool.js';

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

/**
 * The maximum size of a remembered definition, in bytes: two of them fit into the proposal to accept a
 * change.
 */
export const MAX_IN_ONE = 262_144;

/** The parts of a definition that matter. */
export interface ReadDefinition {
  readonly tool: string;
  readonly definition: JsonObject;
  readonly digest: string;
  /** The size of the definition as JSON. */
  readonly bytes: number;
}

/** Reads the definitions in a list of tools, except for those with names that cannot be called. */
export function readDefinitions(shown: readonly JsonObject[]): readonly ReadDefinition[] {
  return shown.filter(({ name }) => isCallable(name)).map(readDefinition);
}

/** What is kept of a definition that is too large: the name, and whether it promises structured results. */
export function partOf({ tool, definition }: Pick<ReadDefinition, 'tool' | 'definition'>): JsonObject {
  return { name: tool, ...(definition['outputSchema'] === undefined ? {} : { outputSchema: {} }) };
}

function isCallable(name: unknown): boolean {
  if (typeof name !== 'string' || name === '' || name.length > LONGEST_NAME) return false;
  return name !== ALL_TOOLS && !isReserved(name);
}

function readDefinition(shown: JsonObject): ReadDefinition {
  const definition = pinOf(shown);
  const bytes = Buffer.byteLength(JSON.stringify(definition));
  return { tool: textAt(shown, 'name'), definition, digest: digestJson(definition), bytes };
}

/** Where a server comes from. */
export interface ServerSource {
  /** What starts it, without its version: the package and its runner, a file, an image, or an address. */
  readonly program: string;
  /** The package that the program belongs to, and its version, if known. */
  readonly package?: string;
  readonly version?: string;
}

/** Stands for all tools of a server among its pins: whether its hints count. No tool can have this name. */
export const ALL_TOOLS = '*';

/** How many tools a question names. */
const MAX_NAMED = 100;

/** The pin of a server whose hints nobody has trusted yet. */
export const UNTRUSTED: ReadDefinition = definitionOf({ name: ALL_TOOLS });

/**
 * What people are asked to trust: a server's word about its tools. The pin is the program alone, so there is one question
 * for a server; the rest is for people to judge.
 *
 * @param calledItself - the server's name for itself
 */
export function trustedHints(
  source: ServerSource,
  tools: Iterable<[string, JsonObject]>,
  calledItself?: string,
): ReadDefinition {
  const telling = [...tools].filter(([, definition]) => hasHints(definition));
  const reading = telling.filter(([, { annotations }]) => isReading(annotations)).map(([tool]) => tool);
  return definitionOf({
    name: ALL_TOOLS,
    title: source.program,
    ...defined({ package: source.package, version: source.version, callsItself: calledItself }),
    onlyReads: reading.slice(0, MAX_NAMED),
    toolsWithHints: telling.length,
  });
}

/** The digest of the pin of a server whose hints count. */
export function trustedDigest({ program }: ServerSource): string {
  return pinDigest({ name: ALL_TOOLS, title: program });
}

function isReading(annotations: unknown): boolean {
  const { readOnlyHint, destructiveHint } = annotations as JsonObject;
  return readOnlyHint === true && destructiveHint !== true;
}

function definitionOf(definition: JsonObject): ReadDefinition {
  const bytes = Buffer.byteLength(JSON.stringify(definition));
  return { tool: ALL_TOOLS, definition, digest: pinDigest(definition), bytes };
}
