import { isJsonObject, type JsonObject } from '@proffer/core/json';
import { objectAt } from '../json-rpc.js';
import type { Channel } from './channel.js';
import { createShallowChannel } from './shallow-channel.js';

/** What a guard says in the `_meta` of a result begins with this. */
const OURS = 'proffer/';

/**
 * A channel to a server that cannot speak in the name of the guard: whatever begins with `proffer/` in the `_meta` of
 * its results is left out, for the client as for the history. Nor does anything come from it that is nested too deep.
 */
export function createServerChannel(server: Channel): Channel {
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

/** The state of a task that is over has the result of its call in it (2026-07-28). */
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
