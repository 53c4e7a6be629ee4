import { isJsonArray, isJsonObject, type JsonObject, type JsonValue } from '@proffer/core';
import { objectAt, textAt } from '../json-rpc.js';

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

interface Declaration {
  readonly header: string;
  readonly path: readonly string[];
}

/** One for all the channels to a server: the tools may have been listed on another. */
export function createParamHeaders(): ParamHeaders {
  const known = new Map<string, readonly Declaration[]>();
  return {
    learn({ tools }) {
      for (const tool of isJsonArray(tools) ? tools.filter(isJsonObject) : []) {
        const declared = declarationsIn(objectAt(tool, 'inputSchema'), []);
        if (declared.length > 0) known.set(textAt(tool, 'name'), declared);
        else known.delete(textAt(tool, 'name'));
      }
    },
    headersFor(params) {
      const declared = known.get(textAt(params, 'name')) ?? [];
      const entries = declared.flatMap(({ header, path }) => {
        const value = path.reduce<JsonValue | undefined>(
          (inner, key) => (isJsonObject(inner) && Object.hasOwn(inner, key) ? inner[key] : undefined),
          objectAt(params, 'arguments'),
        );
        const text = textOf(value);
        return text === undefined ? [] : [[`Mcp-Param-${header}`, encode(text)] as const];
      });
      return Object.fromEntries(entries);
    },
  };
}

/** They are only where a chain of `properties` leads. */
function declarationsIn(schema: JsonObject, path: readonly string[]): readonly Declaration[] {
  return Object.entries(objectAt(schema, 'properties')).flatMap(([key, property]) => {
    if (!isJsonObject(property)) return [];
    const own = [...path, key];
    const header = textAt(property, 'x-mcp-header');
    const isHeader = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/.test(header);
    const here: readonly Declaration[] = isHeader ? [{ header, path: own }] : [];
    return here.concat(declarationsIn(property, own));
  });
}

function textOf(value: JsonValue | undefined): string | undefined {
  if (typeof value === 'string') return value;
  if (typeof value === 'boolean' || typeof value === 'number') return String(value);
  return undefined;
}

/** What a header cannot hold as it is goes as Base64, marked as such. */
function encode(text: string): string {
  const isPlain = /^[\t\x20-\x7e]+$/.test(text) && text === text.trim() && !/^=\?base64\?.*\?=$/.test(text);
  return isPlain ? text : `=?base64?${Buffer.from(text).toString('base64')}?=`;
}
