/** The upper bounds of the buckets, in seconds. */
const BOUNDS = [0.0005, 0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.5, 2];

const NAME = 'proffer_acknowledgement_seconds';
const HELP = 'Seconds from reading a message to its acknowledgement.';

/**
 * A histogram of message latencies, as plain numbers: a labelled one looks up its labels for each message.
 */
export class Latency {
  /** How many were within each bound and over the one before; the last is for those over all of them. */
  readonly #counts = new Float64Array(BOUNDS.length + 1);
  #sum = 0;

  /** @param seconds - the latency of one message */
  observe(seconds: number): void {
    let bucket = 0;
    while (bucket < BOUNDS.length && seconds > (BOUNDS[bucket] as number)) bucket++;
    this.#counts[bucket] = (this.#counts[bucket] as number) + 1;
    this.#sum += seconds;
  }

  /**
   * The latency within which this share of all messages was handled, as precisely as the buckets tell: the
   * upper bound of one of them, or infinity. `undefined` if there were none.
   *
   * @param share - from 0 to 1
   */
  within(share: number): number | undefined {
    const all = this.#counts.reduce((sum, count) => sum + count, 0);
    if (all === 0) return undefined;
    let count = 0;
    const bucket = this.#counts.findIndex((inBucket) => (count += inBucket) >= share * all);
    return BOUNDS[bucket] ?? Number.POSITIVE_INFINITY;
  }

  /** In Prometheus format: each bucket counts everything up to its bound. */
  text(): string {
    let count = 0;
    const buckets = Array.from(this.#counts, (inBucket, bucket) => {
      count += inBucket;
      return `${NAME}_bucket{le="${BOUNDS[bucket] ?? '+Inf'}"} ${count}\n`;
    });
    const about = `# HELP ${NAME} ${HELP}\n# TYPE ${NAME} histogram\n`;
    return `${about}${buckets.join('')}${NAME}_sum ${this.#sum}\n${NAME}_count ${count}\n`;
  }
}
