import type { JsonObject } from '@proffer/core/json';
import type { PinStore } from './pin-file.js';
import { MAX_IN_ONE, pinDigest, type ReadDefinition, type ToolPin, type TrustQuestion } from './tool-pins.js';

/** The maximum number of remembered tools of one server, and the total size of their definitions in bytes. */
export const MAX_TOOLS = 10_000;
export const MAX_IN_ALL = 16 * 1_048_576;

interface Kept {
  readonly pin: ToolPin;
  readonly digest: string;
}

/**
 * The trusted tools of a server. A pin is never dropped to make room: otherwise a server could have a tool forgotten
 * and show it again as another. So their number is limited.
 */
export class PinBook {
  readonly #store: PinStore;
  readonly #kept = new Map<string, Kept>();
  #bytes = 0;

  /** Throws if the pins cannot be read. */
  constructor(store: PinStore) {
    this.#store = store;
    for (const [tool, pin] of store.load()) {
      this.#kept.set(tool, { pin, digest: pinDigest(pin.definition) });
      this.#bytes += sizeOf(pin.definition);
    }
  }

  get(tool: string): ToolPin | undefined {
    return this.#kept.get(tool)?.pin;
  }

  /** The digest of the trusted definition. */
  digest(tool: string): string | undefined {
    return this.#kept.get(tool)?.digest;
  }

  /** Pins and saves new tools, as far as there is room. */
  addFresh(shown: readonly ReadDefinition[]): void {
    const fresh = new Map<string, Kept>();
    let bytes = this.#bytes;
    for (const { tool, definition, digest, bytes: more } of shown) {
      // One that is listed twice cannot be both.
      const isKnown = this.#kept.has(tool) || fresh.has(tool);
      const hasRoom = this.#kept.size + fresh.size < MAX_TOOLS && bytes + more <= MAX_IN_ALL;
      if (isKnown || !hasRoom || more > MAX_IN_ONE) continue;
      fresh.set(tool, { pin: { definition }, digest });
      bytes += more;
    }
    if (fresh.size === 0) return;
    this.#store.save(new Map([...fresh].map(([tool, { pin }]) => [tool, pin])));
    for (const [tool, kept] of fresh) this.#kept.set(tool, kept);
    this.#bytes = bytes;
  }

  /** Replaces the pin of a tool. */
  replace(tool: string, definition: JsonObject): void {
    const before = this.get(tool);
    const pin = { definition };
    this.#store.save(new Map([[tool, pin]]));
    this.#kept.set(tool, { pin, digest: pinDigest(definition) });
    this.#bytes += sizeOf(definition) - (before === undefined ? 0 : sizeOf(before.definition));
  }

  /** Records the question about a pinned tool; `undefined` to clear it. */
  ask(tool: string, question: TrustQuestion | undefined): void {
    const kept = this.#kept.get(tool);
    if (kept === undefined) return;
    this.#store.saveQuestion(tool, question);
    const { definition } = kept.pin;
    const pin = question === undefined ? { definition } : { definition, question };
    this.#kept.set(tool, { pin, digest: kept.digest });
  }
}

function sizeOf(definition: JsonObject): number {
  return Buffer.byteLength(JSON.stringify(definition));
}
