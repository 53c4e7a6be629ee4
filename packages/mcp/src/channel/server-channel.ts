import { isJsonObject, type JsonObject } from '@proffer/core/json';
import { objectAt } from '../json-rpc.js';
import type { JsonRpcChannel } from './channel.js';
import { createShallowChannel } from './shallow-channel.js';

/** The prefix of a guard's own keys in the `_meta` of a result. */
const OURS = 'proffer/';

/**
 * A channel to a server that cannot speak in the name of the guard: keys that start with `proffer/` in the `_meta` of
 * its results are removed, for the client and for the history. Messages that are nested too deeply do not get through
 * either.
 */
export function createServerChannel(server: JsonRpcChannel): JsonRpcChannel {
  const channel = createShallowChannel(server);
  return {
    open: (events) =>
      channel.open({
        ...events,
        onMessage(message, text) {
          const { result } = message;
          if (isJsonObject(result) && (isMarked(result) || isMarked(objectAt(result, 'result'))))
            events.onMessage({ ...message, result: withoutMarks(result) });
          else events.onMessage(message, text);
        },
      }),
    send: (message, text) => channel.send(message, text),
    pause: () => channel.pause(),
    resume: () => channel.resume(),
    close: () => channel.close(),
  };
}

function isMarked(result: JsonObject): boolean {
  return Object.keys(objectAt(result, '_meta')).some(isOurs);
}

/** The state of a finished task contains the result of its call (2026-07-28). */
function withoutMarks(result: JsonObject): JsonObject {
  const { result: inner } = result;
  return {
    ...result,
    ...(isJsonObject(result['_meta']) ? { _meta: theirs(result['_meta']) } : {}),
    ...(isJsonObject(inner) && isMarked(inner)
      ? { result: { ...inner, _meta: theirs(objectAt(inner, '_meta')) } }
      : {}),
  };
}

function theirs(meta: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(meta).filter(([key]) => !isOurs(key)));
}

function isOurs(key: string): boolean {
  return key.startsWith(OURS);
}
