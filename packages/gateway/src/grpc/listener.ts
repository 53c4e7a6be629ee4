import type { Listener } from '../negotiation/runtime.js';
import type { Call } from './call.js';
import { ENDED } from './status.js';

/** A call as the runtime sees it: somewhere to write items to, each as the frame that it is on the wire. */
export function listenOn<Item>(call: Call, toFrame: (item: Item) => Buffer): Listener<Item> {
  return {
    write: (item) => call.write(toFrame(item)),
    buffered: () => call.buffered(),
    drained: () => call.drained(),
    end(why) {
      const { status, message, code } = ENDED[why];
      call.dismiss(status, message, code);
    },
  };
}
