import { type JsonObject, quote } from '@proffer/core/json';
import { CAPABILITIES_KEY, CLIENT_KEY, VERSION_KEY } from '../../revision.js';

/** The `_meta` keys that MCP reserves in a request: about the connection, and about progress. */
const TRANSPORT: ReadonlySet<string> = new Set([
  VERSION_KEY,
  CLIENT_KEY,
  CAPABILITIES_KEY,
  'io.modelcontextprotocol/logLevel',
  'traceparent',
  'tracestate',
]);

/** How many names are listed at most. */
const MAX_NAMES = 5;

/**
 * The parts of a call's `_meta` that go to the server although the approver has not seen them: transport data only,
 * nothing that a tool could take for an argument. The progress token is the guard's own.
 */
export function transportMeta(meta: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(meta).filter(([key]) => TRANSPORT.has(key)));
}

/**
 * Logs, once per key, what is removed from the `_meta` of a call: a server may want it.
 *
 * @param log - called with the line
 */
export function createMetaNotice(log: (line: string) => void): (meta: JsonObject) => void {
  let isSaid = false;
  return (meta) => {
    const left = Object.keys(meta).filter((key) => key !== 'progressToken' && !TRANSPORT.has(key));
    if (isSaid || left.length === 0) return;
    isSaid = true;
    const names = left.slice(0, MAX_NAMES).map(quote).join(', ');
    log(
      `What calls carry in _meta (${names}${left.length > MAX_NAMES ? ', …' : ''}) does not reach the server for calls that need approval: the reviewer does not see it.`,
    );
  };
}
