import type { JsonObject } from '@proffer/core/json';
import type { RpcId } from '../json-rpc.js';

/** What a channel tells whoever pumps it. */
export interface ChannelEvents {
  /** @param text - the message as it was written, where the channel has it: it can go on untouched */
  readonly onMessage: (message: JsonObject, text?: string) => void;
  /** A request that was sent will not be answered, though the channel goes on. It may have been carried out. */
  readonly onUnanswered: (id: RpcId, cause: Error) => void;
  /** Something went wrong beside any request, and the peer may be gone, which only a request would show. */
  readonly onFault?: () => void;
  /** It is over; nothing comes after this. */
  readonly onClose: (cause?: Error) => void;
  /** The peer takes messages again after `send` said that it was full. */
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
   * Settles with whether the answer to a request of the peer, which was just sent, has left this process; false
   * as soon as it cannot any more. Absent where an answer counts as told when it is sent.
   */
  readonly left?: (id: RpcId) => Promise<boolean>;
  /** Takes no more messages from the peer until `resume`, where the channel can hold it off. */
  pause(): void;
  resume(): void;
  close(): Promise<void>;
}
