import { defined, type JsonObject } from '@proffer/core/json';
import { hasHints } from '../../hints.js';
import type { ReadDefinition } from './read-definition.js';
import { pinDigest } from './tool-pins.js';

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
