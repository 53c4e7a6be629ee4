import type { Refusal } from '@proffer/core';
import type { WebSocket } from 'ws';

/** A peer has to wait before it is read on while messages of so many characters, or so many, are not decided yet. */
const MOST_UNDECIDED = 4_194_304;
const MOST_MESSAGES = 1_024;

/** The shortest and the longest that someone who sent too much is not read, in milliseconds. */
const SHORTEST = 100;
const LONGEST = 1_000;

/** How long someone who sent something again is not read, in milliseconds. */
const MOMENT = 10;

/** Decides when a peer is read, so that what it sends costs the others little (I-7). */
export interface Reading {
  /** A message of so many characters was read and is not decided yet. */
  begin(size: number): void;
  end(size: number): void;
  /**
   * It sent more than it may: it is not read for a moment. What it sends meanwhile waits on its own side,
   * and not one refusal is made for each message.
   */
  holdBack(refusal: Pick<Refusal, 'details'>): void;
  /**
   * It sent what it had sent before: it is not read for a moment either. It loses nothing by that, and what it sends
   * meanwhile is read, and answered, at once and not one by one, which is what costs most.
   */
  slowDown(): void;
  isHeldBack(): boolean;
  /** Messages that are not decided yet. */
  undecided(): number;
  /** Whether something that was read waits to be taken: as long as it does, no more is read. */
  queue(isWaiting: boolean): void;
}

/** @param onReleased - it is no longer held back. Default nothing */
export function createReading(
  webSocket: Pick<WebSocket, 'isPaused' | 'pause' | 'resume'>,
  onReleased: () => void = () => {},
): Reading {
  let size = 0;
  let messages = 0;
  let heldBack: NodeJS.Timeout | undefined;
  let heldFor = 0;
  let isQueued = false;

  const isFull = (): boolean => size > MOST_UNDECIDED || messages > MOST_MESSAGES;

  function adjust(): void {
    const wait = heldBack !== undefined || isQueued || isFull();
    if (wait && !webSocket.isPaused) webSocket.pause();
    if (!wait && webSocket.isPaused) webSocket.resume();
  }

  /** Not read for so many milliseconds from now; a longer time that was said before stays. */
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
      // Until a tenth of its allowance is there again: it loses nothing, and what then comes at once is not much.
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
