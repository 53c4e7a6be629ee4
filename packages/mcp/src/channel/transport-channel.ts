import type { JSONRPCMessage, Transport } from '@modelcontextprotocol/client';
import { defined, type JsonObject } from '@proffer/core/json';
import type { JsonRpcChannel } from './channel.js';

export interface TransportChannelOptions extends Pick<JsonRpcChannel, 'left'> {
  /** The peer's request that a message belongs to, if the transport distinguishes them. */
  readonly relatedTo?: (message: JsonObject) => string | number | undefined;
  /** Called with each message before it is passed on. */
  readonly onMessage?: (message: JsonObject) => void;
}

/** A transport of the MCP library as one side of a proxy. */
export function createTransportChannel(
  transport: Transport,
  options: TransportChannelOptions = {},
): JsonRpcChannel {
  let isOver = false;
  return {
    async open({ onMessage, onClose }) {
      const end = (cause?: Error): void => {
        if (isOver) return;
        isOver = true;
        onClose(cause);
      };
      Object.assign(transport, {
        onmessage(message: JSONRPCMessage) {
          const plain = message as unknown as JsonObject;
          options.onMessage?.(plain);
          onMessage(plain);
        },
        onclose: () => end(),
      });
      await transport.start();
    },
    send(message) {
      if (isOver) return true;
      const relatedRequestId = options.relatedTo?.(message);
      transport
        .send(message as unknown as JSONRPCMessage, defined({ relatedRequestId }))
        .catch((error: unknown) =>
          transport.onerror?.(error instanceof Error ? error : new Error(String(error))),
        );
      return true;
    },
    ...defined({ left: options.left }),
    pause() {},
    resume() {},
    async close() {
      isOver = true;
      await transport.close();
    },
  };
}
