import type { WebSocket } from 'ws';
import type { ActiveSenders } from '../../door/index.js';
import { createInputThrottle, type InputThrottle } from '../input-throttle.js';
import type { ReceivedText } from './received-text.js';
import type { SocketSink } from './socket-sink.js';

/** How many messages, or bytes of messages, a peer gets processed before the others have their turn. */
const TURN_MESSAGES = 64;
const TURN_SIZE = 65_536;

/**
 * A peer that continues after two turns, while others send too, gets at most this in a turn, and nothing
 * while this many of its messages are undecided: the others' messages go to the disk together with those, and
 * wait for them.
 */
const SHARED_TURN = 16;
const MAX_AHEAD = 64;

/** The incoming messages of one connection. */
export interface FairReader extends Omit<InputThrottle, 'isHeldBack' | 'undecided' | 'queue'> {
  /**
   * Handles a message: now, or, if the peer has had its turn, in one of the next turns of the event loop. The
   * order stays, and meanwhile the peer is not read (I-7). After the close nothing is accepted.
   */
  offer(text: ReceivedText): void;
  /** Handles another kind of request in turn. @param size - in bytes. Default: 0 */
  run(work: () => void, size?: number): void;
}

export interface FairReaderOptions {
  readonly webSocket: WebSocket;
  readonly sink: SocketSink;
  readonly take: (text: ReceivedText) => void;
  readonly activeSenders: Pick<ActiveSenders, 'isShared'>;
}

/**
 * Lets connections take turns. One chunk from a socket may contain thousands of messages, and without this
 * the others would wait for all of them, and for the chunks right behind it.
 */
export function createFairReader({ webSocket, sink, take, activeSenders }: FairReaderOptions): FairReader {
  let messages = TURN_MESSAGES;
  let size = TURN_SIZE;
  let hasNextTurn = false;
  /** Whether something was left over when the previous turn began, and whether it has to share. */
  let hadMore = false;
  let mustShare = false;
  /** What came after its turn was over: at most the rest of one chunk. */
  let waiting: { readonly size: number; readonly work: () => void }[] = [];
  const reading = createInputThrottle(
    {
      get isPaused() {
        return webSocket.isPaused;
      },
      pause: () => webSocket.pause(),
      // A disconnected peer is not read again.
      resume: () => (sink.isEnded ? undefined : webSocket.resume()),
    },
    takeWaiting,
  );
  const isAhead = (): boolean => mustShare && reading.undecided() >= MAX_AHEAD;
  const hasTurn = (): boolean => messages > 0 && size > 0 && !isAhead();

  function spend(length: number): void {
    messages--;
    size -= length;
    // A light sender gets here only once every so many messages: that costs next to nothing.
    if (messages < TURN_MESSAGES / 2 || size < TURN_SIZE / 2) awaitTurn();
  }

  function awaitTurn(): void {
    if (hasNextTurn) return;
    hasNextTurn = true;
    setImmediate(beginTurn);
  }

  function beginTurn(): void {
    hasNextTurn = false;
    const hasMore = waiting.length > 0;
    // Not for a single leftover: a turn may begin half spent. And until nothing is left over twice: what it
    // sent right behind is read only after this.
    const goesOn = mustShare ? hasMore || hadMore : hasMore && hadMore;
    mustShare = goesOn && activeSenders.isShared();
    hadMore = hasMore;
    messages = mustShare ? SHARED_TURN : TURN_MESSAGES;
    size = TURN_SIZE;
    takeWaiting();
  }

  function takeWaiting(): void {
    // A peer over its rate waits with the rest, but then has a whole turn: each message gets its answer.
    if (waiting.length === 0 || reading.isHeldBack()) return;
    let taken = 0;
    for (const next of waiting) {
      if (!hasTurn() || sink.isEnded) break;
      taken++;
      spend(next.size);
      next.work();
    }
    waiting = sink.isEnded ? [] : waiting.slice(taken);
    if (waiting.length === 0) reading.queue(false);
  }

  function wait(length: number, work: () => void): void {
    if (waiting.push({ size: length, work }) === 1) reading.queue(true);
  }

  const isNext = (): boolean => waiting.length === 0 && hasTurn();

  return {
    ...reading,
    end(length) {
      reading.end(length);
      if (mustShare && waiting.length > 0 && !isAhead()) awaitTurn();
    },
    offer(text) {
      if (sink.isEnded) return;
      if (!isNext()) return wait(text.size, () => take(text));
      spend(text.size);
      take(text);
    },
    run(work, length = 0) {
      if (sink.isEnded) return;
      if (!isNext()) return wait(length, work);
      spend(length);
      work();
    },
  };
}
