import { isUtf8 } from 'node:buffer';
import { isJsonObject, type JsonObject, type JsonValue, objectsIn } from '@proffer/core/json';
import { objectAt, textAt } from '../json-rpc.js';
import { MOST_LEVELS } from './shallow-channel.js';

/**
 * Arguments that a tool wants as headers too (`x-mcp-header`, 2026-07-28): a server over HTTP refuses calls
 * without them. What is run may not be what the client sent, so they are made from what is run.
 */
export interface ParamHeaders {
  /** Sees the result of `tools/list`. */
  learn(result: JsonObject): void;
  /** The headers for the params of a `tools/call`. */
  headersFor(params: JsonObject): Readonly<Record<string, string>>;
}

/** An argument that is a header too: the end of the header's name, and where the argument is. */
export interface DeclaredHeader {
  readonly header: string;
  readonly path: readonly string[];
}

/** One for all the channels to a server: the tools may have been listed on another. */
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

/** What a schema declares, down to the depth that a message may have. */
export function declaredHeaders(schema: JsonObject): readonly DeclaredHeader[] {
  return declarationsIn(schema, [], MOST_LEVELS);
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

/** What arguments have at a path of keys. */
export function valueAt(args: JsonObject, path: readonly string[]): JsonValue | undefined {
  return path.reduce<JsonValue | undefined>(
    (inner, key) => (isJsonObject(inner) && Object.hasOwn(inner, key) ? inner[key] : undefined),
    args,
  );
}

/** Whether a header has a value; numbers are compared as numbers. */
export function matchesHeader(value: string | number | boolean): (shown: string) => boolean {
  return (shown) =>
    typeof value === 'number' && /^-?\d+(?:\.\d+)?$/.test(shown)
      ? Number(shown) === value
      : shown === String(value);
}

/** The text in a header, decoded if it is Base64; `undefined` if it is marked as Base64 and is not. */
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

/** What a header cannot contain is sent as Base64, marked as such. */
function encode(text: string): string {
  const isPlain = /^[\t\x20-\x7e]+$/.test(text) && text === text.trim() && !/^=\?base64\?.*\?=$/.test(text);
  return isPlain ? text : `=?base64?${Buffer.from(text).toString('base64')}?=`;
}
