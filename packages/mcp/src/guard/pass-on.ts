import type { ChannelEvents, JsonRpcChannel } from '../channel/channel.js';
import { answerTo, INTERNAL_ERROR } from '../json-rpc.js';
import type { StartupProxy } from './startup-proxy.js';

/**
 * Connects a client and a server as if there were no guard, for one that only watches and cannot start (O-50). Resolves when
 * either side is gone.
 */
export async function passOn({ front, back }: Pick<StartupProxy, 'front' | 'back'>): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    back
      .open(between(back, front, resolve))
      .then(() => front.open(between(front, back, resolve)))
      .catch(reject);
  });
}

function between(from: JsonRpcChannel, to: JsonRpcChannel, onClose: () => void): ChannelEvents {
  return {
    onMessage(message, text) {
      if (!to.send(message, text)) from.pause();
    },
    onUnanswered: (id, cause) => {
      to.send(answerTo(id, { error: { code: INTERNAL_ERROR, message: cause.message } }));
    },
    onClose,
    onDrain: () => to.resume(),
  };
}
