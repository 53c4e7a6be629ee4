import type { NatsConnection } from '@nats-io/transport-node';
import { isJsonObject, type JsonObject, type JsonValue } from '@proffer/core/json';
import type { PeerChannel } from '../journal.js';

/** A subject outside the stream, so that nothing is stored. */
export function createPeerChannel(connection: NatsConnection, stream: string): PeerChannel {
  const subject = `${stream}-peers`;
  return {
    tell(message) {
      const text = JSON.stringify(message);
      if (Buffer.byteLength(text) > (connection.info?.max_payload ?? Number.POSITIVE_INFINITY)) return false;
      if (!connection.isClosed()) connection.publish(subject, text);
      return true;
    },
    listen(listener) {
      const subscription = connection.subscribe(subject, {
        callback(error, message) {
          const received = error === null ? readMessage(message.string()) : undefined;
          if (received !== undefined) listener(received);
        },
      });
      return () => subscription.unsubscribe();
    },
  };
}

function readMessage(text: string): JsonObject | undefined {
  try {
    const value = JSON.parse(text) as JsonValue;
    return isJsonObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
