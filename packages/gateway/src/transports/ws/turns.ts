import type { WebSocket } from 'ws';
import type { Company } from '../../door/index.js';
import { createReading, type Reading } from '../reading.js';
import type { SocketSink } from './socket-sink.js';

/** A peer gets so many messages, or messages of so many characters, taken before the others have their turn. */
const TURN_MESSAGES = 64;
const TURN_SIZE = 65_536;

/**
 * Who goes on after two turns, while others send too, gets no more than this in a turn, and none while so many of its
 * messages are not decided: what the others say goes to the disk together with those, and waits for them.
 */
const SHARED_TURN = 16;
const MOST_AHEAD = 64;

/** The messages of one connection on their way in. */
export interface Turns extends Omit<Reading, 'isHeldBack' | 'undecided' | 'queue'> {
  /**
   * A message came. It is taken now, or, if the peer has had its turn, in one of the next turns of the event
   * loop. The order stays, and meanwhile the peer is not read (I-7). After the end was said nothing is taken.
   */
  offer(text: string): void;
  /** The same for something else that the peer asks for. @param size - in characters. Default 0 */
  run(work: () => void, size?: number): void;
}

export interface TurnsOptions {
  readonly webSocket: WebSocket;
  readonly sink: SocketSink;
  readonly take: (text: string) => void;
  readonly company: Pick<Company, 'isShared'>;
}

/**
 * Lets the connections have their messages taken in turns. One piece that is read of a socket may hold thousands
 * of messages, and without this the others would wait for all of them, and for the pieces right behind it.
 */
export function createTurns({ webSocket, sink, take, company }: TurnsOptions): Turns {
  let messages = TURN_MESSAGES;
  let size = TURN_SIZE;
  let hasNextTurn = false;
  /** Whether something was left over when the turn before this one began, and whether it has to share. */
  let hadMore = false;
  let mustShare = false;
  /** What came after its turn was over: at most the rest of one piece. */
  let waiting: { readonly size: number; readonly work: () => void }[] = [];
  const reading = createReading(
    {
      get isPaused() {
        return webSocket.isPaused;
      },
      pause: () => webSocket.pause(),
      // Who was sent away is not read again.
      resume: () => (sink.isEnded ? undefined : webSocket.resume()),
    },
    takeWaiting,
  );
  const isAhead = (): boolean => mustShare && reading.undecided() >= MOST_AHEAD;
  const hasTurn = (): boolean => messages > 0 && size > 0 && !isAhead();

  function spend(length: number): void {
    messages--;
    size -= length;
    // Whoever sends little gets here with every so many messages only: that costs next to nothing.
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
    // Not for what is left over once: a turn may begin with half of it spent. And until nothing is left twice: what
    // it sent right behind is read only after this.
    const goesOn = mustShare ? hasMore || hadMore : hasMore && hadMore;
    mustShare = goesOn && company.isShared();
    hadMore = hasMore;
    messages = mustShare ? SHARED_TURN : TURN_MESSAGES;
    size = TURN_SIZE;
    takeWaiting();
  }

  function takeWaiting(): void {
    // Who sent too much waits with the rest, but then has a whole turn: each is told what becomes of it.
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
      if (!isNext()) return wait(text.length, () => take(text));
      spend(text.length);
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
