import { DEFAULT_JSON_LIMITS, defined, type JsonObject, type JsonValue } from '@proffer/core/json';
import { answeredId, answerTo, INTERNAL_ERROR, INVALID_PARAMS, isRequest } from '../json-rpc.js';
import type { JsonRpcChannel } from './channel.js';

/** The maximum nesting of objects and arrays in a message, the same as a gateway's. */
export const MAX_LEVELS = DEFAULT_JSON_LIMITS.maxDepth;

/**
 * A channel that lets no message through that is nested deeper than {@link MAX_LEVELS}, so that its messages can be
 * traversed safely. Such a request gets an error; for such a response, the requester gets an error which says that the
 * request was answered; such a notification is dropped.
 */
export function createShallowChannel(channel: JsonRpcChannel): JsonRpcChannel {
  return {
    open: (events) =>
      channel.open({
        ...events,
        onMessage(message, text) {
          if (!isDeeperThan(message, MAX_LEVELS)) return events.onMessage(message, text);
          const id = answeredId(message);
          if (isRequest(message)) channel.send(answerTo(message.id, { error: tooDeepToTake() }));
          else if (id !== undefined) events.onMessage(answerTo(id, { error: tooDeepToShow() }));
        },
      }),
    send: (message, text) => channel.send(message, text),
    ...defined({ left: channel.left }),
    pause: () => channel.pause(),
    resume: () => channel.resume(),
    close: () => channel.close(),
  };
}

function tooDeepToTake(): JsonObject {
  const message = `Nothing was run: the request is nested deeper than ${MAX_LEVELS} levels. Send it with fewer.`;
  return { code: INVALID_PARAMS, message };
}

function tooDeepToShow(): JsonObject {
  const message = `The server has carried this out and answered, but its answer is nested deeper than ${MAX_LEVELS} levels and is not passed on. Do not repeat the request to get the answer.`;
  return { code: INTERNAL_ERROR, message };
}

/** Descends no further than it has to, so that no nesting can exhaust the stack. */
function isDeeperThan(value: JsonValue | undefined, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return false;
  if (levels === 0) return true;
  return Object.values(value).some((inner: JsonValue | undefined) => isDeeperThan(inner, levels - 1));
}
