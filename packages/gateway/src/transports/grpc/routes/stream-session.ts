import { RUNTIME_SERVICE } from '@proffer/wire';
import type { GrpcRoute, Receiver } from '../call/index.js';
import { type StreamSessionOptions, serveStream } from './serve-stream.js';

const { streamSession: STREAM } = RUNTIME_SERVICE;

/**
 * `StreamSession`: sends to and follows the session of the first frame that is not refused. A subscriber
 * follows from where it asks. A client that only sends follows from its first accepted envelope on, until it
 * subscribes: then from where it asks, whatever came before. After a half-close, the stream ends when
 * everything accepted by then was delivered. A bad frame causes an error on the stream, which continues; only
 * one with both an envelope and a subscription ends it, and one that subscribes to a session that is not there
 * (N-28).
 */
export function streamSessionRoute(options: StreamSessionOptions): GrpcRoute {
  return {
    path: STREAM.path,
    single: false,
    open(caller) {
      const { call } = caller;
      let receiver: Receiver | undefined;
      call.pause();
      const begin = async (): Promise<void> => {
        const connected = await caller.stay();
        if (!connected.ok) return call.refuse(connected.refusal);
        receiver = serveStream(call, connected.value, options);
        call.begin();
        call.resume();
      };
      begin().catch((error: unknown) => call.fail(error));
      // Nothing is read before there is a consumer.
      return { take: (message) => receiver?.take(message), end: () => receiver?.end() };
    },
  };
}
