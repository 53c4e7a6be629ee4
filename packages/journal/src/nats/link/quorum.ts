import { JetStreamApiError, type JetStreamManager } from '@nats-io/jetstream';
import { isTransient } from '../authenticity/foreign-messages.js';

/** No message ever has this sequence. */
const NONE = 0;

/**
 * Returns a function that settles when a majority of the servers has agreed on something since it was
 * called, and rejects if they do not.
 *
 * A server that was cut off from the others keeps answering as the leader for about ten seconds, and
 * does not know what the others have written since. A deletion needs the agreement of a majority
 * before it is answered, even one of a message that does not exist, and it leaves nothing in the
 * stream. Calls made while one is in flight share the next one, so that there is one at a time,
 * however many ask.
 *
 * @param verify - rejects if what they agreed about is not the stream that was opened
 */
export function createQuorumCheck(
  manager: JetStreamManager,
  stream: string,
  verify: () => Promise<void>,
): () => Promise<void> {
  let running: Promise<void> | undefined;
  let next: Promise<void> | undefined;

  async function agree(): Promise<void> {
    try {
      await manager.streams.deleteMessage(stream, NONE, false);
    } catch (error) {
      // They agreed that there is no such message.
      if (!(error instanceof JetStreamApiError) || isTransient(error)) throw error;
    }
    await verify();
  }

  function begin(): Promise<void> {
    running = agree().finally(() => {
      running = undefined;
    });
    return running;
  }

  return () => {
    if (running === undefined) return begin();
    // If this one fails, the next one would too, and no one should wait twice as long.
    next ??= running
      .finally(() => {
        next = undefined;
      })
      .then(begin);
    return next;
  };
}
