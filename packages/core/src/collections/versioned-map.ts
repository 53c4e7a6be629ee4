/** Anything but null and undefined: in a map, undefined means absent. */
type Present = string | number | boolean | object;

/**
 * An immutable map that costs what a `Map` costs, as long as it is used the way a fold uses it: the
 * newest version is read and written, older ones are dropped. `set` and `delete` return a new version
 * and leave this one as it was.
 *
 * How: the newest version owns a real `Map`; an older one remembers the change that led away from it
 * and which version has the table now. So reading or changing the newest version is O(1) (I-8),
 * reading an older one costs the number of changes since, and changing an older one copies once.
 *
 * Iteration is in insertion order for the newest version of a fold; nothing may depend on more than
 * that: encodings sort.
 */
export class VersionedMap<Value extends Present> implements Iterable<[string, Value]> {
  readonly size: number;
  #table: Map<string, Value> | undefined;
  #newer: VersionedMap<Value> | undefined;
  #changedKey = '';
  #valueBefore: Value | undefined;
  #isReleased = false;

  private constructor(table: Map<string, Value> | undefined) {
    this.#table = table;
    this.size = table?.size ?? 0;
  }

  static empty<Value extends Present>(): VersionedMap<Value> {
    return new VersionedMap<Value>(undefined);
  }

  static of<Value extends Present>(entries: Iterable<readonly [string, Value]>): VersionedMap<Value> {
    return new VersionedMap<Value>(new Map(entries));
  }

  /** A map over a table that the caller gives up: the table is not copied. */
  static owning<Value extends Present>(table: Map<string, Value>): VersionedMap<Value> {
    return new VersionedMap<Value>(table);
  }

  get(key: string): Value | undefined {
    let version: VersionedMap<Value> = this;
    while (version.#newer !== undefined) {
      if (version.#changedKey === key) return version.#valueBefore;
      version = version.#newer;
    }
    return version.#table === undefined ? version.#absent() : version.#table.get(key);
  }

  has(key: string): boolean {
    return this.get(key) !== undefined;
  }

  set(key: string, value: Value): VersionedMap<Value> {
    // An empty version stays empty and unlinked, so that one shared constant can start every fold.
    if (this.size === 0) return new VersionedMap<Value>(new Map([[key, value]]));
    const table = this.#ownTable();
    const before = table.get(key);
    if (before === value) return this;
    table.set(key, value);
    return this.#stepAway(table, key, before);
  }

  delete(key: string): VersionedMap<Value> {
    if (this.size === 0) return this;
    const table = this.#ownTable();
    const before = table.get(key);
    if (before === undefined) return this;
    table.delete(key);
    return this.#stepAway(table, key, before);
  }

  /**
   * Declares that this version, and those between it and a newer one, will not be read again; reading
   * one throws from then on. Otherwise a version that outlives its use in the old generation of the
   * garbage collector would keep all newer ones there, with everything they replaced. Nested maps are
   * released, too. Does nothing if the other version is not derived from this one.
   */
  releaseUntil(newer: VersionedMap<Value>): void {
    if (!this.#leadsTo(newer)) return;
    let version: VersionedMap<Value> = this;
    while (version !== newer && version.#newer !== undefined) {
      const next: VersionedMap<Value> = version.#newer;
      if (version.#valueBefore instanceof VersionedMap) {
        const now = newer.get(version.#changedKey);
        if (now instanceof VersionedMap) version.#valueBefore.releaseUntil(now);
      }
      version.#newer = undefined;
      version.#valueBefore = undefined;
      version.#isReleased = true;
      version = next;
    }
  }

  // Each iterates over a copy: the table may move to a newer version in the middle of a loop.
  [Symbol.iterator](): IterableIterator<[string, Value]> {
    return [...this.#snapshot()].values();
  }

  keys(): IterableIterator<string> {
    return [...this.#snapshot().keys()].values();
  }

  values(): IterableIterator<Value> {
    return [...this.#snapshot().values()].values();
  }

  #leadsTo(newer: VersionedMap<Value>): boolean {
    let version: VersionedMap<Value> | undefined = this;
    while (version !== undefined && version !== newer) version = version.#newer;
    return version === newer;
  }

  /** The content of a version without a table: empty, unless it was released. */
  #absent(): undefined {
    if (this.#isReleased) throw new Error('This version of the map was released.');
  }

  #stepAway(table: Map<string, Value>, key: string, before: Value | undefined): VersionedMap<Value> {
    const next = new VersionedMap<Value>(table);
    this.#table = undefined;
    this.#newer = next;
    this.#changedKey = key;
    this.#valueBefore = before;
    return next;
  }

  /** The table of this version, copied first if a newer version has it. */
  #ownTable(): Map<string, Value> {
    if (this.#table === undefined) {
      this.#table = this.#copyOut();
      this.#newer = undefined;
      this.#valueBefore = undefined;
    }
    return this.#table;
  }

  #snapshot(): ReadonlyMap<string, Value> {
    return this.#table ?? this.#copyOut();
  }

  #copyOut(): Map<string, Value> {
    const steps: VersionedMap<Value>[] = [];
    let version: VersionedMap<Value> = this;
    while (version.#newer !== undefined) {
      steps.push(version);
      version = version.#newer;
    }
    if (version.#table === undefined) version.#absent();
    const table = new Map(version.#table);
    for (const step of steps.reverse()) {
      if (step.#valueBefore === undefined) table.delete(step.#changedKey);
      else table.set(step.#changedKey, step.#valueBefore);
    }
    return table;
  }
}
