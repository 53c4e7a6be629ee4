import { isJsonArray, isJsonObject, type JsonObject, type JsonValue } from '../../json/json.js';
import { parseKind } from '../kind.js';
import { writeSlashKind } from './slash-kind.js';

/** Capabilities that mew has its own words for, some of them several. */
const WORDS: ReadonlyMap<string, readonly string[]> = new Map([
  // A single star ends at a slash in mew.
  ['*', ['**']],
  ['mcp.*', ['mcp/request', 'mcp/response', 'mcp/proposal', 'mcp/notification']],
  ['mcp/*', ['mcp/*']],
  ['mcpx.*', ['mcp/withdraw', 'mcp/reject']],
  ['mcpx.withdraw.proposal', ['mcp/withdraw']],
  ['mcpx.reject.proposal', ['mcp/reject']],
  ['mcpx.grant.capability', ['capability/grant']],
  ['mcpx.revoke.capability', ['capability/revoke']],
  ['chat.*', ['chat', 'chat/*']],
]);

/**
 * A list of capabilities as mew clients know them: objects, with kinds that leave the method to the
 * payload. Such a client compares its own messages with them before it sends them.
 */
export function mewCapabilities(capabilities: JsonValue | undefined): JsonValue | undefined {
  return isJsonArray(capabilities) ? capabilities.flatMap(mewCapability) : capabilities;
}

function mewCapability(capability: JsonValue): readonly JsonObject[] {
  if (isJsonObject(capability)) {
    const { kind, payload = {} } = capability;
    if (typeof kind !== 'string' || !isJsonObject(payload)) return [capability];
    return mewKinds(kind).map((written) => withPayload(written, payload));
  }
  return typeof capability === 'string' ? mewKinds(capability) : [];
}

function mewKinds(kind: string): readonly JsonObject[] {
  const words = WORDS.get(kind);
  if (words !== undefined) return words.map((word) => ({ kind: word }));
  const [, operation, method, context] =
    /^mcp[./](request|response|proposal)(?:[.:]([^:]*)(?::(.*))?)?$/.exec(kind) ?? [];
  if (operation === undefined)
    return [{ kind: parseKind(kind) === undefined ? kind.replace('.', '/') : writeSlashKind(kind) }];
  const about = {
    ...(method === undefined || method === '*' || operation === 'response' ? {} : { method }),
    ...(context === undefined
      ? {}
      : { params: { [method?.startsWith('resources/') ? 'uri' : 'name']: context } }),
  };
  return [withPayload({ kind: `mcp/${operation}` }, about)];
}

function withPayload(written: JsonObject, payload: JsonObject): JsonObject {
  const { payload: own = {} } = written;
  const whole = isJsonObject(own) ? { ...own, ...payload } : payload;
  return Object.keys(whole).length === 0 ? written : { ...written, payload: whole };
}
