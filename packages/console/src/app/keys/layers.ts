import { BURST, gestureVerdict, UNDECIDED } from '@proffer/core/gesture';
import type { RefObject } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { sayKey } from './key-note.js';

/** Key bindings by name: `a`, `?`, `Escape`, `mod+k`, or two in sequence: `g i`. */
export type Bindings = Readonly<Record<string, KeyAction | undefined>>;

/** What a key does. `false` means that it was not handled; the next layer is asked. */
export type KeyAction = (event: KeyboardEvent) => unknown;

interface Layer {
  bindings: Bindings;
  /** Whether it blocks all keys for the layers below. */
  readonly isModal: boolean;
  /** Where characters go that are no keys of this layer: somebody is writing. */
  readonly field: RefObject<HTMLElement | null> | undefined;
}

const layers: Layer[] = [];

/** Keys that also work while typing. */
const ALWAYS = new Set(['Escape', 'mod+k', 'mod+Enter']);

/** The maximum time between two keys in sequence, in milliseconds. */
const PAUSE = 1_200;

/** How long after the last character typing in a field that is gone counts as typing, in milliseconds. */
const TYPING = 1_500;

/** The last character that was typed, here or in a field. */
let typed = { key: '', at: Number.NEGATIVE_INFINITY };
/** The field that was typed into last, and when. */
let field: { readonly element: Element; readonly at: number } | undefined;
/** What a letter does unless another follows at once: then it was the beginning of a text. */
let held: ReturnType<typeof setTimeout> | undefined;

/** Keys by which a reader leaves a field; what follows is not meant for it. */
const LEAVING = new Set(['Enter', 'Escape', 'Tab']);

/** Keys that are commonly followed by another at once. */
const BEFORE = new Set(['j', 'k', '.', '/', '?']);

/** Keys that are pressed in quick succession. */
const MOVES = new Set(['j', 'k', ' ']);

const NONE = { keys: '', until: 0 };
/** The first of two keys, while waiting for the second. */
let first = NONE;

function nameOf(event: KeyboardEvent): string {
  const isMod = event.ctrlKey || event.metaKey;
  return isMod ? `mod+${event.key.length === 1 ? event.key.toLowerCase() : event.key}` : event.key;
}

/** Whether a key belongs to the focused element: text to a field, Space and Enter to a button. */
function isTaken({ target, key }: KeyboardEvent): boolean {
  if (!(target instanceof HTMLElement)) return false;
  const presses = key === ' ' || key === 'Enter';
  if (target instanceof HTMLInputElement && target.type === 'checkbox') return presses;
  if (target.matches('input, textarea, select')) return true;
  return presses && target.matches('button, a[href], summary');
}

function isCharacter({ key, ctrlKey, metaKey }: KeyboardEvent): boolean {
  return key.length === 1 && !ctrlKey && !metaKey;
}

/** Whether a character belongs to a text: it follows another at once, or the field it was meant for is gone. */
function isText(event: KeyboardEvent): boolean {
  const before = typed;
  typed = { key: event.key, at: event.timeStamp };
  if (field !== undefined && !field.element.isConnected && event.timeStamp - field.at < TYPING) {
    field = { ...field, at: event.timeStamp };
    return true;
  }
  const isNext = event.timeStamp < first.until;
  const isOther = before.key !== event.key && !BEFORE.has(before.key);
  const isLetter = /^\p{L}$/u.test(event.key) && !MOVES.has(event.key);
  const verdict = gestureVerdict({
    now: event.timeStamp,
    shownAt: Number.NEGATIVE_INFINITY,
    typedAt: before.at,
  });
  return isLetter && isOther && !isNext && verdict === 'typing';
}

/** Does something unless another character follows at once. */
export function unlessTyping(act: () => void): void {
  held = setTimeout(() => {
    held = undefined;
    act();
  }, BURST);
}

if (typeof window !== 'undefined') {
  window.addEventListener('pointerdown', () => {
    field = undefined;
  });
  window.addEventListener('keydown', (event) => {
    if (LEAVING.has(event.key)) field = undefined;
    if (event.defaultPrevented || event.isComposing || event.altKey) return;
    if (isTaken(event) && !ALWAYS.has(nameOf(event))) {
      if (isCharacter(event) && event.target instanceof Element)
        field = { element: event.target, at: event.timeStamp };
      return;
    }
    const writing = layers.at(-1);
    if (writing?.field?.current && isCharacter(event) && writing.bindings[event.key] === undefined)
      return writing.field.current.focus();
    const wasHeld = held !== undefined;
    if (isCharacter(event) && !event.repeat) {
      clearTimeout(held);
      held = undefined;
      if (isText(event) || wasHeld) {
        event.preventDefault();
        return sayKey(UNDECIDED.typing);
      }
    }
    const name = `${event.timeStamp < first.until ? first.keys : ''}${nameOf(event)}`;
    first = NONE;
    for (const layer of layers.toReversed()) {
      if (Object.keys(layer.bindings).some((keys) => keys.startsWith(`${name} `))) {
        first = { keys: `${name} `, until: event.timeStamp + PAUSE };
        return;
      }
      const act = layer.bindings[name];
      if (act !== undefined && act(event) !== false) {
        event.preventDefault();
        return;
      }
      if (layer.isModal) return;
    }
    if (/^\p{L}$/u.test(event.key) && isCharacter(event))
      sayKey(`“${event.key}” does nothing here. Press ? for the keys.`);
  });
}

/** Handles keys while the component is mounted. The last one mounted is asked first. */
export function useKeys(
  bindings: Bindings,
  { isModal = false, field: into }: Partial<Omit<Layer, 'bindings'>> = {},
): void {
  const layer = useRef<Layer>({ bindings, isModal, field: into });
  layer.current.bindings = bindings;
  // Registered before painting: the next key may follow quickly.
  useLayoutEffect(() => {
    const { current } = layer;
    layers.push(current);
    return () => {
      layers.splice(layers.indexOf(current), 1);
    };
  }, []);
}
