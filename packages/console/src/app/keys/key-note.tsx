import { createStore, type Store, useStore } from '../state/store.js';

/** What a key did not do, and why; empty if there is nothing to say. */
export const keyNote: Store<string> = createStore('');

/** How long it is shown, in milliseconds. */
const SHOWN = 4_000;
let timer: ReturnType<typeof setTimeout> | undefined;

/** Says why a key or a click did nothing. */
export function sayKey(text: string): void {
  clearTimeout(timer);
  keyNote.set(text);
  if (text !== '') timer = setTimeout(() => keyNote.set(''), SHOWN);
}

/** Where it is said. */
export function KeyNote() {
  const text = useStore(keyNote);
  return (
    <p class={text === '' ? 'key-note' : 'key-note on'} role="status">
      {text}
    </p>
  );
}
