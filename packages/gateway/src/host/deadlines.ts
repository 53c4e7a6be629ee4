/**
 * Wakes up for whatever is due first. One timer for any number of deadlines: a binary heap orders them, so
 * adding and removing cost the logarithm of their number. A key has one deadline at a time; setting it again
 * replaces it.
 */
export interface Deadlines {
  set(key: string, at: number | undefined): void;
  /** Permanently: later deadlines are never due. */
  stop(): void;
}

interface Entry {
  readonly key: string;
  readonly at: number;
}

/** A smaller heap is not worth cleaning up. */
const LEAST_SIFTED = 1_024;

/** The maximum sleep, in milliseconds: the clock may be changed, and timers do not notice. */
const LONGEST_WAIT = 30_000;

/** @param onDue - called with each due key; an exception is an internal error */
export function createDeadlines(clock: () => number, onDue: (key: string) => void): Deadlines {
  let heap: Entry[] = [];
  // An entry of the heap counts only while it is the key's current deadline.
  const current = new Map<string, number>();
  let timer: NodeJS.Timeout | undefined;
  let wakesAt = Number.POSITIVE_INFINITY;
  let stopped = false;

  function arm(): void {
    const next = heap[0];
    if (next === undefined || next.at >= wakesAt) return;
    clearTimeout(timer);
    wakesAt = next.at;
    timer = setTimeout(wake, Math.min(Math.max(next.at - clock(), 0), LONGEST_WAIT));
  }

  /**
   * Drops obsolete entries, rarely enough to cost each deadline the same (I-8), often enough to bound memory
   * (I-7).
   */
  function sift(): void {
    const entries = Array.from(current, ([key, at]) => ({ key, at }));
    // A sorted array is a heap.
    heap = entries.sort((left, right) => left.at - right.at);
  }

  function wake(): void {
    wakesAt = Number.POSITIVE_INFINITY;
    const now = clock();
    for (let next = heap[0]; next !== undefined && next.at <= now; next = heap[0]) {
      pop(heap);
      if (current.get(next.key) !== next.at) continue;
      current.delete(next.key);
      onDue(next.key);
    }
    arm();
  }

  return {
    set(key, at) {
      if (stopped || current.get(key) === at) return;
      if (at === undefined) {
        current.delete(key);
        return;
      }
      current.set(key, at);
      push(heap, { key, at });
      if (heap.length >= LEAST_SIFTED && heap.length > 2 * current.size) sift();
      arm();
    },
    stop() {
      stopped = true;
      clearTimeout(timer);
      heap = [];
      current.clear();
    },
  };
}

function push(heap: Entry[], entry: Entry): void {
  let index = heap.length;
  heap.push(entry);
  while (index > 0) {
    const parent = (index - 1) >> 1;
    const above = heap[parent];
    if (above === undefined || above.at <= entry.at) break;
    heap[index] = above;
    index = parent;
  }
  heap[index] = entry;
}

function pop(heap: Entry[]): void {
  const last = heap.pop();
  if (last === undefined || heap.length === 0) return;
  let index = 0;
  for (;;) {
    const left = 2 * index + 1;
    const right = left + 1;
    let smaller = heap[left];
    if (smaller === undefined) break;
    let at = left;
    const other = heap[right];
    if (other !== undefined && other.at < smaller.at) {
      smaller = other;
      at = right;
    }
    if (smaller.at >= last.at) break;
    heap[index] = smaller;
    index = at;
  }
  heap[index] = last;
}
