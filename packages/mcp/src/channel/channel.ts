import type { JsonObject } from '@proffer/core/json';
import type { RpcId } from '../json-rpc.js';

/** The callbacks of a channel. */
export interface ChannelEvents {
  /** @param text - the message as it was written, where the channel has it: it can go on untouched */
  readonly onMessage: (message: JsonObject, text?: string) => void;
  /** A request that was sent will not be answered, though the channel stays open. It may have been carried out. */
  readonly onUnanswered: (id: RpcId, cause: Error) => void;
  /** Something went wrong outside of any request. The peer may be gone, which only a request would show. */
  readonly onFault?: () => void;
  /** The channel has ended; nothing follows. */
  readonly onClose: (cause?: Error) => void;
  /** The peer accepts messages again after `send` returned false. */
  readonly onDrain: () => void;
}

/** One side of a proxy: carries JSON-RPC messages to and from one peer. Holds no rule. */
export interface Channel {
  /** Begins to deliver. Fails if the peer cannot be reached. */
  open(events: ChannelEvents): Promise<void>;
  /**
   * Sends a message; false if the peer is slow and the sender should wait for `onDrain`. After the end it
   * does nothing.
   *
   * @param text - the message as it was written, if nothing in it was changed
   */
  send(message: JsonObject, text?: string): boolean;
  /**
   * Settles with whether the answer to a request of the peer, which was just sent, has left this process; false once it
   * no longer can. Absent if an answer counts as delivered when it is sent.
   */
  readonly left?: (id: RpcId) => Promise<boolean>;
  /** Takes no more messages from the peer until `resume`, where the channel can hold it off. */
  pause(): void;
  resume(): void;
  close(): Promise<void>;
}
