import type { Listener } from '../../../negotiation/index.js';
import { ENDED } from '../status.js';
import type { GrpcCall } from './call.js';

/**
 * A call as the runtime sees it: a sink for items, each in its wire frame. The unread limit is for all
 * streams of its token on the connection together, however many there are (I-7).
 */
export function listenOn<Item>(call: GrpcCall, toFrame: (item: Item) => Buffer): Listener<Item> {
  const { unread } = call;
  const own = (): number => call.buffered();
  call.onOver(unread.join());
  return {
    write: (item) => call.write(toFrame(item)),
    buffered: () => unread.countFor(own()),
    async drained() {
      await call.drained();
      await unread.roomFor(own, () => call.isOver());
    },
    end(why) {
      const { status, message, code } = ENDED[why];
      call.dismiss(status, message, code);
    },
  };
}
