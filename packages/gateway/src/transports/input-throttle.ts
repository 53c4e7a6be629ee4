import type { Refusal } from '@proffer/core';
import type { WebSocket } from 'ws';

/** Reading pauses while this many bytes, or this many messages, of a peer are undecided. */
const MAX_UNDECIDED = 4_194_304;
const MAX_MESSAGES = 1_024;

/** How long a peer over its rate is not read, at least and at most, in milliseconds. */
const SHORTEST = 100;
const LONGEST = 1_000;

/** How long a peer that repeated a message is not read, in milliseconds. */
const MOMENT = 10;

/** Decides when a peer is read, so that its input costs the others little (I-7). */
export interface InputThrottle {
  /** A message of this many bytes was read and is undecided. */
  begin(size: number): void;
  end(size: number): void;
  /**
   * The peer is over its rate: it is not read for a moment. What it sends meanwhile waits on its own side, and does
   * not cause a refusal per message.
   */
  holdBack(refusal: Pick<Refusal, 'details'>): void;
  /**
   * The peer repeated a message: it is not read for a moment either. It loses nothing by that, and what it sends
   * meanwhile is read and answered in one go instead of one by one, which is what costs most.
   */
  slowDown(): void;
  isHeldBack(): boolean;
  /** Undecided messages. */
  undecided(): number;
  /** Whether something that was read is queued: meanwhile no more is read. */
  queue(isWaiting: boolean): void;
}

/** @param onReleased - called when it is no longer throttled. Default: nothing */
export function createInputThrottle(
  webSocket: Pick<WebSocket, 'isPaused' | 'pause' | 'resume'>,
  onReleased: () => void = () => {},
): InputThrottle {
  let size = 0;
  let messages = 0;
  let heldBack: NodeJS.Timeout | undefined;
  let heldFor = 0;
  let isQueued = false;

  const isFull = (): boolean => size > MAX_UNDECIDED || messages > MAX_MESSAGES;

  function adjust(): void {
    const wait = heldBack !== undefined || isQueued || isFull();
    if (wait && !webSocket.isPaused) webSocket.pause();
    if (!wait && webSocket.isPaused) webSocket.resume();
  }

  /** Throttled for this many milliseconds from now; a longer time set before stays. */
  function holdFor(milliseconds: number): void {
    if (heldBack !== undefined && heldFor >= milliseconds) return;
    clearTimeout(heldBack);
    heldFor = milliseconds;
    heldBack = setTimeout(() => {
      heldBack = undefined;
      onReleased();
      adjust();
    }, milliseconds).unref();
    adjust();
  }

  return {
    begin(length) {
      size += length;
      messages++;
      if (isFull()) adjust();
    },
    end(length) {
      size -= length;
      messages--;
      if (webSocket.isPaused) adjust();
    },
    holdBack({ details }) {
      // Until a tenth of its allowance is back: it loses nothing, and the next burst is small.
      const tenth = Number(details['period_ms'] ?? 0) / 10;
      holdFor(Math.min(LONGEST, Math.max(SHORTEST, tenth)));
    },
    slowDown: () => holdFor(MOMENT),
    isHeldBack: () => heldBack !== undefined,
    undecided: () => messages,
    queue(isWaiting) {
      isQueued = isWaiting;
      adjust();
    },
  };
}
