import { randomBytes } from 'node:crypto';
import { isJsonArray, isJsonObject, type JsonObject, type JsonValue, parseJson } from '@proffer/core/json';
import { frameMessage, TEXT } from '../../../delivery/index.js';

/** Translates a client's incoming and outgoing messages. */
export interface Translation {
  readonly incoming: (text: string) => string;
  /** @param frames - complete WebSocket frames, as written */
  outgoing(frames: Buffer): Buffer;
}

/** How many ids of a connection are remembered for references. */
const MAX_IDS = 10_000;

/**
 * For mew clients. Their ids start again with `NAME-1` in every process, so internally they get a suffix of
 * the connection, which the client itself never sees; and the client's own id is its name.
 *
 * @param participantId - what the client calls itself
 */
export function createMewIds(name: string, participantId = name): Translation {
  const suffix = `~${randomBytes(6).toString('base64url')}`;
  const counted = new RegExp(`^${participantId.replaceAll(/[^\w]/g, '\\$&')}-\\d+$`);
  const given = new Set<string>();

  function own(id: JsonValue | undefined): JsonValue | undefined {
    if (typeof id !== 'string' || !counted.test(id)) return id;
    if (given.size === MAX_IDS) given.clear();
    given.add(id);
    return `${id}${suffix}`;
  }

  const known = (id: JsonValue): JsonValue =>
    typeof id === 'string' && given.has(id) ? `${id}${suffix}` : id;

  /** A revocation names the grant in its payload. */
  function withKnownGrant(payload: JsonValue | undefined): JsonObject {
    if (!isJsonObject(payload) || payload['grant_id'] === undefined) return {};
    return { payload: { ...payload, grant_id: known(payload['grant_id']) } };
  }

  return {
    incoming(text) {
      const parsed = parseJson(text);
      // Malformed messages are refused later, like all others.
      if (!parsed.ok || !isJsonObject(parsed.value)) return text;
      const { id, from, correlation_id: ids, payload } = parsed.value;
      const changed: JsonObject = {
        ...parsed.value,
        ...(id === undefined ? {} : { id: own(id) }),
        ...(from === participantId ? { from: name } : {}),
        ...(isJsonArray(ids) ? { correlation_id: ids.map(known) } : {}),
        ...withKnownGrant(payload),
      };
      return JSON.stringify(changed);
    },
    outgoing: (frames) =>
      frames.includes(suffix) ? mapFrames(frames, (text) => text.replaceAll(suffix, '')) : frames,
  };
}

/** Unmasked frames, with other texts in those that have text. */
function mapFrames(frames: Buffer, change: (text: string) => string): Buffer {
  const changed: Buffer[] = [];
  for (let at = 0; at < frames.length; ) {
    const short = (frames[at + 1] ?? 0) & 0x7f;
    const header = short < 126 ? 2 : short === 126 ? 4 : 10;
    const length =
      short < 126
        ? short
        : short === 126
          ? frames.readUInt16BE(at + 2)
          : Number(frames.readBigUInt64BE(at + 2));
    const end = at + header + length;
    // Binary stream data is not text.
    if (frames[at] === TEXT)
      changed.push(frameMessage('websocket', { text: change(frames.toString('utf8', at + header, end)) }));
    else changed.push(frames.subarray(at, end));
    at = end;
  }
  return Buffer.concat(changed);
}
