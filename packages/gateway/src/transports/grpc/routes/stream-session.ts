import { RUNTIME_SERVICE } from '@proffer/wire';
import type { Receiver, Route } from '../call/index.js';
import { type StreamSessionOptions, serveStream } from './serve-stream.js';

const { streamSession: STREAM } = RUNTIME_SERVICE;

/**
 * `StreamSession`: the session of the first frame that is not refused, to send to and to follow. Who
 * subscribes follows from where it asks. Who only sends follows from its first accepted envelope on, until it
 * subscribes: then from where it asks, whatever came before. Once the peer has ended its side, the stream ends when
 * everything was handed over that had been accepted by then. What is wrong with a frame comes as an error on the
 * stream, which goes on; only one with both an envelope and a session to subscribe to ends it. Without another
 * frame it ends soon when the session to follow is not there.
 */
export function streamSessionRoute(options: StreamSessionOptions): Route {
  return {
    path: STREAM.path,
    single: false,
    open(caller) {
      const { call } = caller;
      let receiver: Receiver | undefined;
      call.pause();
      const begin = async (): Promise<void> => {
        const party = await caller.stay();
        if (!party.ok) return call.refuse(party.refusal);
        receiver = serveStream(call, party.value, options);
        call.begin();
        call.resume();
      };
      begin().catch((error: unknown) => call.fail(error));
      // Nothing is read before there is a consumer.
      return { take: (message) => receiver?.take(message), end: () => receiver?.end() };
    },
  };
}
