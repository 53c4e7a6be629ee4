import type { Segment } from './segment.js';

/** The segments of a journal in order of their numbers; compaction replaces them one by one. */
export class SegmentList {
  readonly #segments: Segment[] = [];

  get all(): readonly Segment[] {
    return this.#segments;
  }

  get last(): Segment | undefined {
    return this.#segments.at(-1);
  }

  add(segment: Segment): void {
    this.#segments.push(segment);
  }

  replace(old: Segment, by: Segment): void {
    this.#segments[this.#segments.indexOf(old)] = by;
  }

  /** The segment that would contain a `seq`. */
  holding(seq: number): Segment | undefined {
    let low = 0;
    let high = this.#segments.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.#segments[middle]?.after ?? 0) < seq) low = middle + 1;
      else high = middle;
    }
    return this.#segments[low - 1];
  }

  /** The segment after another one, whatever their generations. */
  following(segment: Segment): Segment | undefined {
    // Numbers are consecutive.
    const first = this.#segments[0]?.name.number ?? 0;
    return this.#segments[segment.name.number - first + 1];
  }
}
