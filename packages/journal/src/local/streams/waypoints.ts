/** How many versions apart the waypoints of a stream are. */
export const SPACING = 32;

/** How many positions are remembered at most (I-7): about ten megabytes. */
const MAX_PLACES = 131_072;

/** The overhead of a stream, counted in waypoints. */
const STREAM_COST = 8;

/**
 * Where to start reading in the middle of a long stream (I-8): the `seq` of a record at regular
 * intervals. Only saves time: unknown positions are found from the end of the stream. The least
 * recently used streams are evicted.
 */
export class Waypoints {
  readonly #streams = new Map<string, Map<number, number>>();
  readonly #most: number;
  #cost = 0;

  /** @param most - how many positions are remembered at most, a stream counting as a few */
  constructor(most: number = MAX_PLACES) {
    this.#most = most;
  }

  /** The `seq` of a record, if it is remembered. */
  at(stream: string, version: number): number | undefined {
    return this.#streams.get(stream)?.get(version);
  }

  /** Remembers the position of a record, if its version is a waypoint. */
  note(stream: string, version: number, seq: number): void {
    if (version % SPACING !== 0) return;
    const known = this.#streams.get(stream);
    const places = known ?? new Map<number, number>();
    const before = places.size;
    places.set(version, seq);
    this.#cost += places.size - before + (known === undefined ? STREAM_COST : 0);
    // The last entry of the map is the most recently used.
    this.#streams.delete(stream);
    this.#streams.set(stream, places);
    for (const [oldest, { size }] of this.#streams) {
      if (this.#cost <= this.#most) break;
      this.#streams.delete(oldest);
      this.#cost -= size + STREAM_COST;
    }
  }
}
