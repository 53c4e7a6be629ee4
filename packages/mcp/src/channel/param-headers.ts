import { isUtf8 } from 'node:buffer';
import { isJsonObject, type JsonObject, type JsonValue, objectsIn } from '@proffer/core/json';
import { objectAt, textAt } from '../json-rpc.js';
import { MAX_LEVELS } from './shallow-channel.js';

/**
 * Arguments that a tool wants as headers too (`x-mcp-header`, 2026-07-28): a server over HTTP refuses calls
 * without them. What runs may differ from what the client sent, so the headers are made from what runs.
 */
export interface ParamHeaders {
  /** Processes the result of `tools/list`. */
  learn(result: JsonObject): void;
  /** The headers for the params of a `tools/call`. */
  headersFor(params: JsonObject): Readonly<Record<string, string>>;
}

/** An argument that is also a header: the suffix of the header's name, and the path of the argument. */
export interface DeclaredHeader {
  readonly header: string;
  readonly path: readonly string[];
}

/** Shared by all channels to a server: the tools may have been listed on another. */
export function createParamHeaders(): ParamHeaders {
  const known = new Map<string, readonly DeclaredHeader[]>();
  return {
    learn({ tools }) {
      for (const tool of objectsIn(tools)) {
        const declared = declaredHeaders(objectAt(tool, 'inputSchema'));
        if (declared.length > 0) known.set(textAt(tool, 'name'), declared);
        else known.delete(textAt(tool, 'name'));
      }
    },
    headersFor(params) {
      const declared = known.get(textAt(params, 'name')) ?? [];
      const entries = declared.flatMap(({ header, path }) => {
        const text = textOf(valueAt(objectAt(params, 'arguments'), path));
        return text === undefined ? [] : [[`Mcp-Param-${header}`, encode(text)] as const];
      });
      return Object.fromEntries(entries);
    },
  };
}

/** The declarations in a schema, down to the maximum depth of a message. */
export function declaredHeaders(schema: JsonObject): readonly DeclaredHeader[] {
  return declarationsIn(schema, [], MAX_LEVELS);
}

/** They occur only along a chain of `properties`. */
function declarationsIn(
  schema: JsonObject,
  path: readonly string[],
  levels: number,
): readonly DeclaredHeader[] {
  if (levels === 0) return [];
  return Object.entries(objectAt(schema, 'properties')).flatMap(([key, property]) => {
    if (!isJsonObject(property)) return [];
    const own = [...path, key];
    const header = textAt(property, 'x-mcp-header');
    const isHeader = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/.test(header);
    const here: readonly DeclaredHeader[] = isHeader ? [{ header, path: own }] : [];
    return here.concat(declarationsIn(property, own, levels - 1));
  });
}

/** The value in the arguments at a path. */
export function valueAt(args: JsonObject, path: readonly string[]): JsonValue | undefined {
  return path.reduce<JsonValue | undefined>(
    (inner, key) => (isJsonObject(inner) && Object.hasOwn(inner, key) ? inner[key] : undefined),
    args,
  );
}

/** Whether a header matches a value; numbers are compared as numbers. */
export function matchesHeader(value: string | number | boolean): (shown: string) => boolean {
  return (shown) =>
    typeof value === 'number' && /^-?\d+(?:\.\d+)?$/.test(shown)
      ? Number(shown) === value
      : shown === String(value);
}

/** The text of a header, decoded if it is Base64; `undefined` if it is marked as Base64 but invalid. */
export function decodeHeader(value: string): string | undefined {
  const [, encoded] = /^=\?base64\?(.*)\?=$/.exec(value) ?? [];
  if (encoded === undefined) return value;
  const bytes = Buffer.from(encoded, 'base64');
  return bytes.toString('base64') === encoded && isUtf8(bytes) ? bytes.toString('utf8') : undefined;
}

function textOf(value: JsonValue | undefined): string | undefined {
  if (typeof value === 'string') return value;
  if (typeof value === 'boolean' || typeof value === 'number') return String(value);
  return undefined;
}

/** Values that a header cannot contain are sent as Base64, marked as such. */
function encode(text: string): string {
  const isPlain = /^[\t\x20-\x7e]+$/.test(text) && text === text.trim() && !/^=\?base64\?.*\?=$/.test(text);
  return isPlain ? text : `=?base64?${Buffer.from(text).toString('base64')}?=`;
}
