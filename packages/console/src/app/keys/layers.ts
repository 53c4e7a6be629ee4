import { useLayoutEffect, useRef } from 'preact/hooks';

/** Key bindings by name: `a`, `?`, `Escape`, `mod+k`, or two in sequence: `g i`. */
export type Bindings = Readonly<Record<string, KeyAction | undefined>>;

/** What a key does. `false` means that it was not handled; the next layer is asked. */
export type KeyAction = (event: KeyboardEvent) => unknown;

interface Layer {
  bindings: Bindings;
  /** Whether it blocks all keys for the layers below. */
  readonly isModal: boolean;
}

const layers: Layer[] = [];

/** Keys that also work while typing. */
const ALWAYS = new Set(['Escape', 'mod+k', 'mod+Enter']);

/** The maximum time between two keys in sequence, in milliseconds. */
const PAUSE = 1_200;

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

/** Handles keys while the component is mounted. The last one mounted is asked first. */
export function useKeys(bindings: Bindings, { isModal = false } = {}): void {
  const layer = useRef<Layer>({ bindings, isModal });
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
