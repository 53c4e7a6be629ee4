import type { JsonObject } from '@proffer/core/json';
import type { RpcId } from '../json-rpc.js';

/** The callbacks of a channel. */
export interface ChannelEvents {
  /** @param text - the original text, if the channel has it: it can be forwarded unchanged */
  readonly onMessage: (message: JsonObject, text?: string) => void;
  /** A sent request will not be answered, though the channel stays open. It may have been executed. */
  readonly onUnanswered: (id: RpcId, cause: Error) => void;
  /** An error outside of any request. The peer may be gone, which only a request would show. */
  readonly onFault?: () => void;
  /** The channel has ended; nothing follows. */
  readonly onClose: (cause?: Error) => void;
  /** The peer accepts messages again after `send` returned false. */
  readonly onDrain: () => void;
}

/** One side of a proxy: carries JSON-RPC messages to and from one peer. Contains no rules. */
export interface JsonRpcChannel {
  /** Starts delivering. Rejects if the peer cannot be reached. */
  open(events: ChannelEvents): Promise<void>;
  /**
   * Sends a message; returns false if the peer is slow and the sender should wait for `onDrain`. Does nothing
   * after the end.
   *
   * @param text - the original text, if nothing was changed
   */
  send(message: JsonObject, text?: string): boolean;
  /**
   * Resolves with whether the answer to a request of the peer, which was just sent, has left this process;
   * false once it no longer can. Absent if an answer counts as delivered when it is sent.
   */
  readonly left?: (id: RpcId) => Promise<boolean>;
  /** Reads no more messages from the peer until `resume`, if the channel supports backpressure. */
  pause(): void;
  resume(): void;
  close(): Promise<void>;
}
