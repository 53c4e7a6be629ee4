import { useLayoutEffect, useRef } from 'preact/hooks';

/** What keys do, by their name: `a`, `?`, `Escape`, `mod+k`, or two after each other: `g i`. */
export type Bindings = Readonly<Record<string, KeyAction | undefined>>;

/** What a key does. `false` says that it was not for this one; the next is asked. */
export type KeyAction = (event: KeyboardEvent) => unknown;

interface Layer {
  bindings: Bindings;
  /** Whether it blocks all keys for what is below it. */
  readonly isModal: boolean;
}

const layers: Layer[] = [];

/** Keys that also work where one types. */
const ALWAYS = new Set(['Escape', 'mod+k', 'mod+Enter']);

/** How long the second of two keys may take, in milliseconds. */
const PAUSE = 1_200;

const NONE = { keys: '', until: 0 };
/** The first of two keys, while the second is waited for. */
let first = NONE;

function nameOf(event: KeyboardEvent): string {
  const isMod = event.ctrlKey || event.metaKey;
  return isMod ? `mod+${event.key.length === 1 ? event.key.toLowerCase() : event.key}` : event.key;
}

/** Whether a key belongs to what has the focus: text to a field, Space and Enter to a button. */
function isTaken({ target, key }: KeyboardEvent): boolean {
  if (!(target instanceof HTMLElement)) return false;
  const presses = key === ' ' || key === 'Enter';
  if (target instanceof HTMLInputElement && target.type === 'checkbox') return presses;
  if (target.matches('input, textarea, select')) return true;
  return presses && target.matches('button, a[href], summary');
}

if (typeof window !== 'undefined') {
  window.addEventListener('keydown', (event) => {
    if (event.defaultPrevented || event.isComposing || event.altKey) return;
    if (isTaken(event) && !ALWAYS.has(nameOf(event))) return;
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
  });
}

/** Listens to keys while the component is there. The last one to come is asked first. */
export function useKeys(bindings: Bindings, { isModal = false } = {}): void {
  const layer = useRef<Layer>({ bindings, isModal });
  layer.current.bindings = bindings;
  // At once when it is drawn: the next key may follow quickly.
  useLayoutEffect(() => {
    const { current } = layer;
    layers.push(current);
    return () => {
      layers.splice(layers.indexOf(current), 1);
    };
  }, []);
}
