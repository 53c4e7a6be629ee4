import { describe, expect, it } from 'vitest';
import { BURST, type Gesture, type GestureVerdict, gestureVerdict, LOOK_FIRST } from './gesture.js';

const NOW = 10_000;
const ROWS: readonly (readonly [string, Omit<Gesture, 'now'>, GestureVerdict])[] = [
  ['a card that has been there for half a second', { shownAt: NOW - LOOK_FIRST }, 'decides'],
  ['a card that has been there for long', { shownAt: 0 }, 'decides'],
  ['a card that has just appeared', { shownAt: NOW }, 'look first'],
  ['a card that appeared 150 ms ago', { shownAt: NOW - 150 }, 'look first'],
  ['a card a moment too early', { shownAt: NOW - LOOK_FIRST + 1 }, 'look first'],
  ['a letter right after another', { shownAt: 0, typedAt: NOW - 80 }, 'typing'],
  ['a letter a moment too early', { shownAt: 0, typedAt: NOW - BURST + 1 }, 'typing'],
  ['a letter long after another', { shownAt: 0, typedAt: NOW - BURST }, 'decides'],
  ['a letter of a text, on a new card', { shownAt: NOW, typedAt: NOW - 80 }, 'typing'],
  ['a key that is held down', { shownAt: 0, isRepeat: true }, 'held down'],
];

describe('a gesture', () => {
  it.each(ROWS)('on %s', (_what, gesture, verdict) => {
    expect(gestureVerdict({ now: NOW, ...gesture })).toBe(verdict);
  });
});
