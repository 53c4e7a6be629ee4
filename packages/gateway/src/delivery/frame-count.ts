/**
 * Counts the frames of a stream between gateways. That path is not reliable: when a NATS server fails, frames
 * are lost, and those it still has arrive late.
 */
export class FrameCount {
  /** How many this gateway has forwarded. */
  sent = 0;
  /** The last one from each other gateway. */
  readonly #heard = new Map<string, number>();
  /** Gateways whose frames have all arrived since the stream was opened here. */
  readonly #followed = new Set<string>();

  /** The stream is opened to local connections. What came before that is not missed. */
  open(): void {
    this.#followed.clear();
  }

  /** One more frame arrives from another gateway. */
  hear(gateway: string, number: number): 'next' | 'missed' | 'late' {
    if (number <= (this.#heard.get(gateway) ?? 0)) return 'late';
    return this.reached(gateway, number - 1, number) ? 'missed' : 'next';
  }

  /**
   * Another gateway has forwarded this many.
   *
   * @param heard - the last one that arrived, if it arrives with this
   * @returns whether one of them was missed
   */
  reached(gateway: string, sent: number, heard = sent): boolean {
    const last = this.#heard.get(gateway) ?? 0;
    const isMissing = this.#followed.has(gateway) && last < sent;
    this.#heard.set(gateway, Math.max(last, heard));
    this.#followed.add(gateway);
    return isMissing;
  }
}
