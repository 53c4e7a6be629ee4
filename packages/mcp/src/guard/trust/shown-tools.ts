import type { JsonObject } from '@proffer/core/json';
import { MAX_IN_ALL, MAX_TOOLS, type PinBook } from './pin-book.js';
import { ALL_TOOLS, MAX_IN_ONE, partOf, type ReadDefinition } from './tool-pins.js';

/** A tool as its server showed it last. */
export interface ShownTool {
  /** If it was too large, only the essential parts. */
  readonly definition: JsonObject;
  readonly isWhole: boolean;
  /** The digest of the complete definition. */
  readonly digest: string;
}

/** The tools of a server as it last showed them in this run, to anyone. */
export class ShownTools {
  readonly #pins: PinBook;
  readonly #shown = new Map<string, ShownTool & { readonly bytes: number }>();
  #bytes = 0;
  #isFull = false;

  constructor(pins: PinBook) {
    this.#pins = pins;
  }

  /** Whether there were more tools than are remembered. */
  get isFull(): boolean {
    return this.#isFull;
  }

  get(tool: string): ShownTool | undefined {
    return this.#shown.get(tool);
  }

  /** All of them, in the order in which they were first shown. */
  *entries(): Generator<[string, JsonObject]> {
    for (const [tool, { definition }] of this.#shown) if (tool !== ALL_TOOLS) yield [tool, definition];
  }

  /** Adds a definition. True if the tool is new or has changed. */
  set(shown: ReadDefinition): boolean {
    const { tool, digest } = shown;
    const before = this.#shown.get(tool);
    if (before?.digest === digest) return false;
    if (before === undefined && this.#shown.size >= MAX_TOOLS) {
      this.#isFull = true;
      return false;
    }
    const free = MAX_IN_ALL - this.#bytes + (before?.bytes ?? 0);
    const next = this.#kept(shown, free);
    this.#shown.set(tool, next);
    this.#bytes += next.bytes - (before?.bytes ?? 0);
    return true;
  }

  /** Pinned definitions take no extra room. */
  #kept(shown: ReadDefinition, free: number): ShownTool & { readonly bytes: number } {
    const { tool, definition, digest, bytes } = shown;
    const pin = this.#pins.get(tool);
    if (pin !== undefined && this.#pins.digest(tool) === digest)
      return { definition: pin.definition, isWhole: true, digest, bytes: 0 };
    const isWhole = bytes <= Math.min(free, MAX_IN_ONE);
    return { definition: isWhole ? definition : partOf(shown), isWhole, digest, bytes: isWhole ? bytes : 0 };
  }
}
