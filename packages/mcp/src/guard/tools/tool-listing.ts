import type { Clock } from '@proffer/client/own-calls';
import type { JsonObject } from '@proffer/core/json';
import type { ServerRequests } from '../../channel/server-requests.js';
import { objectAt, textAt } from '../../json-rpc.js';
import { createPace, type Pace } from '../../pace.js';
import { LONGEST_NAME } from '../tool-call.js';
import { MAX_TOOLS, type Viewing } from '../trust/index.js';
import { toolsIn } from '../wait-tool.js';
import type { Toolbook } from './toolbook.js';

export interface ToolListingOptions {
  readonly requests: ServerRequests;
  readonly toolbook: Toolbook;
  /** The connection, if it has its own server; `undefined` if all clients share one. */
  readonly on: object | undefined;
  readonly clock: Clock;
  readonly log: (line: string) => void;
}

/** The maximum number of pages of `tools/list` to read: protects against an endless list. */
const MAX_PAGES = 100;

/**
 * How often a list is read again because the server says it changed: a burst, then one per interval in milliseconds.
 */
const BURST = 3;
const EVERY = 1_000;

/** The guard's own reading of the tool list, on one connection. */
export class ToolListing {
  readonly #options: ToolListingOptions;
  readonly #pace: Pace;
  #reading: Promise<void> | undefined;
  #isStale = false;
  #isOver = false;

  constructor(options: ToolListingOptions) {
    this.#options = options;
    this.#pace = createPace({ clock: options.clock, burst: BURST, every: EVERY });
  }

  /** Whether the list is being read or about to be, so what is known may be outdated. */
  get isReading(): boolean {
    return this.#reading !== undefined;
  }

  /**
   * Reads the whole list; once more after that if it changed in the meantime.
   *
   * @param meta - the `_meta` of the request
   * @param isChanged - whether the server said that the list changed
   */
  read(meta: JsonObject, isChanged = false): Promise<void> {
    this.#isStale ||= isChanged;
    this.#reading ??= this.#readUntilFresh(meta).finally(() => {
      this.#reading = undefined;
    });
    return this.#reading;
  }

  /** The connection has ended. */
  close(): void {
    this.#isOver = true;
  }

  async #readUntilFresh(meta: JsonObject): Promise<void> {
    do {
      if (this.#isStale) await this.#keepPace();
      this.#isStale = false;
      if (!this.#isOver) await this.#readList(meta);
    } while (this.#isStale && !this.#isOver);
  }

  async #keepPace(): Promise<void> {
    const wait = this.#pace.wait();
    if (wait > 0) await new Promise<void>((resolve) => this.#options.clock.after(wait, resolve));
    this.#pace.take();
  }

  async #readList(meta: JsonObject): Promise<void> {
    const { requests, toolbook, on, log } = this.#options;
    const viewing: Partial<Viewing> | undefined = on === undefined ? undefined : { by: requests, on };
    let cursor: JsonObject = {};
    const found: JsonObject[] = [];
    try {
      for (let page = 0; page < MAX_PAGES && found.length <= MAX_TOOLS; page++) {
        const params = { ...cursor, ...(Object.keys(meta).length === 0 ? {} : { _meta: meta }) };
        const answer = await requests.ask(requests.nextId(), { method: 'tools/list', params });
        if ('error' in answer) break;
        found.push(...toolsIn(answer.result));
        const { nextCursor } = answer.result;
        if (typeof nextCursor !== 'string') break;
        cursor = { cursor: nextCursor };
      }
      await toolbook.learn(found, viewing);
    } catch (error) {
      if (!this.#isOver) log(`The tools could not be listed: ${String(error)}`);
    }
  }
}

/** The maximum number of remembered tools (I-7); others count as not supporting tasks. */
const MAX_COUNT = 1_000;

/** Which tools of a server run as tasks, if a call asks for it or always (2025-11-25), as last shown. */
export class TaskSupport {
  readonly #known = new Map<string, 'optional' | 'required'>();

  learn(shown: readonly JsonObject[]): void {
    for (const definition of shown) {
      const name = textAt(definition, 'name');
      const support = textAt(objectAt(definition, 'execution'), 'taskSupport');
      if (support !== 'optional' && support !== 'required') this.#known.delete(name);
      else if (name.length <= LONGEST_NAME && (this.#known.has(name) || this.#known.size < MAX_COUNT))
        this.#known.set(name, support);
    }
  }

  of(tool: string): 'optional' | 'required' | undefined {
    return this.#known.get(tool);
  }
}
