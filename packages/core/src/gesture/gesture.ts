/** How long something must have been on the screen, unchanged, before a gesture decides about it, in milliseconds. */
export const LOOK_FIRST = 500;

/** Characters that follow each other faster than this are text, in milliseconds. */
export const BURST = 250;

/** A key press or a click that would decide something. All times are in milliseconds, on one clock. */
export interface Gesture {
  readonly now: number;
  /** Since when exactly what would be decided has been on the screen. */
  readonly shownAt: number;
  /** When another character was typed before; absent if none was, and for a click. */
  readonly typedAt?: number | undefined;
  /** Whether the key is held down. Default false. */
  readonly isRepeat?: boolean;
}

/** Whether a gesture decides, or why not. */
export type GestureVerdict = 'decides' | 'look first' | 'typing' | 'held down';

/**
 * Whether a gesture may decide now. Nobody approves what they had no time to read: a key that was meant for what was
 * there before, one that is held down, and letters of a text decide nothing. Pure.
 */
export function gestureVerdict({ now, shownAt, typedAt, isRepeat = false }: Gesture): GestureVerdict {
  if (isRepeat) return 'held down';
  if (typedAt !== undefined && now - typedAt < BURST) return 'typing';
  return now - shownAt < LOOK_FIRST ? 'look first' : 'decides';
}

/** What a reader is told about a gesture that decided nothing. */
export const UNDECIDED: Readonly<Record<Exclude<GestureVerdict, 'decides'>, string>> = {
  'look first': 'This has just changed: look first, then press again.',
  typing: 'That was typed like text, so nothing was decided. Press one key at a time.',
  'held down': 'The key is held down. Let go, then press it again.',
};
