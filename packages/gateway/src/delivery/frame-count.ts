/**
 * Counts the frames of a stream that pass between gateways. That way is not reliable: when a NATS server fails, frames
 * are lost, and those that it still has come late.
 */
export class FrameCount {
  /** How many this gateway has passed on. */
  sent = 0;
  /** The last one from each other gateway. */
  readonly #heard = new Map<string, number>();
  /** Those gateways of which every frame has come since the stream was opened here. */
  readonly #followed = new Set<string>();

  /** The stream is opened to those who are connected here. What came before that is not missed. */
  open(): void {
    this.#followed.clear();
  }

  /** One more frame comes from another gateway. */
  hear(gateway: string, number: number): 'next' | 'missed' | 'late' {
    if (number <= (this.#heard.get(gateway) ?? 0)) return 'late';
    return this.reached(gateway, number - 1, number) ? 'missed' : 'next';
  }

  /**
   * Another gateway has passed on so many.
   *
   * @param heard - the last one that came, if it comes with this
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
