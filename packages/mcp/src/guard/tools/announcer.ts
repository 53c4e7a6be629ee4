import type { Clock } from '@proffer/client/own-calls';
import { type Participant, RefusedError, type Tool } from '@proffer/client/participation';
import { isJsonObject, type JsonObject } from '@proffer/core/json';
import { createPace, type Pace } from '../../pace.js';
import { LARGEST_PAYLOAD } from '../tool-call.js';
import { fitTools } from './announced-tools.js';

export interface AnnouncerOptions {
  readonly participant: Participant;
  /** What to announce now, most important first. */
  readonly tools: () => readonly Tool[];
  readonly clock: Clock;
  readonly log: (line: string) => void;
}

/**
 * The burst of announcements, and the interval after that, in milliseconds: each stays in the journal, with
 * all tools in it.
 */
const BURST = 10;
const EVERY = 60_000;

/** With less room than this, in bytes, no announcement is attempted. */
const MIN_ROOM = 16_384;

/** Announces the tools of a server in the space when they change, rate-limited. */
export class Announcer {
  readonly #options: AnnouncerOptions;
  readonly #pace: Pace;
  #served: readonly Tool[] = [];
  #names: ReadonlySet<string> = new Set();
  #room = LARGEST_PAYLOAD;
  #isNew = false;
  #isUrgent = false;
  #hurry: (() => void) | undefined;
  #isLeavingOut = false;
  #wasCut = false;
  #announcing: Promise<void> | undefined;

  constructor(options: AnnouncerOptions) {
    this.#options = options;
    this.#pace = createPace({ clock: options.clock, burst: BURST, every: EVERY });
  }

  /** Whether a tool of this name is announced. */
  has(name: string): boolean {
    return this.#names.has(name);
  }

  /** Whether some of it will not be announced soon: there is too much, or it changes too often. */
  get isBehind(): boolean {
    return this.#isLeavingOut || this.#hurry !== undefined;
  }

  /**
   * There is something new to announce; resolves when it is announced, or when that failed, which is logged.
   *
   * @param isUrgent - whether someone waits for it, so that it is announced at once
   */
  update(isUrgent = false): Promise<void> {
    this.#isNew = true;
    this.#isUrgent ||= isUrgent;
    if (isUrgent) this.#hurry?.();
    this.#announcing ??= this.#announceAll().finally(() => {
      this.#announcing = undefined;
    });
    return this.#announcing;
  }

  async #announceAll(): Promise<void> {
    while (this.#isNew) {
      const wait = this.#isUrgent ? 0 : this.#pace.wait();
      if (wait > 0) await this.#pause(wait);
      this.#pace.take();
      this.#isNew = false;
      this.#isUrgent = false;
      await this.#announce();
    }
  }

  async #pause(wait: number): Promise<void> {
    await new Promise<void>((resolve) => {
      const stop = this.#options.clock.after(wait, resolve);
      this.#hurry = () => {
        stop();
        resolve();
      };
    });
    this.#hurry = undefined;
  }

  async #announce(): Promise<void> {
    const { participant, tools: all, log } = this.#options;
    const tools = all();
    const fitting = fitTools(tools, this.#room);
    try {
      await participant.serve(fitting, this.#served);
    } catch (error) {
      const isTooLarge = error instanceof RefusedError && error.code === 'too_large';
      if (isTooLarge && this.#room / 2 >= MIN_ROOM) {
        this.#room /= 2;
        return await this.#announce();
      }
      return log(
        `The tools could not be announced: ${error instanceof Error ? error.message : String(error)}`,
      );
    }
    this.#served = fitting;
    this.#names = new Set(fitting.map(({ name }) => name));
    this.#isLeavingOut = fitting.length < tools.length;
    const isCut = fitting.length < tools.length || fitting.some((tool, index) => tool !== tools[index]);
    if (!isCut || this.#wasCut) return;
    this.#wasCut = true;
    log('The tool definitions are too long to announce in full. Reviewers see some of them shortened.');
  }
}

/** A tool as it is announced in the space, from its server's definition. */
export function spaceTool(name: string, definition: JsonObject, handler: Tool['handler']): Tool {
  const { description, inputSchema, annotations } = definition;
  return {
    name,
    ...(typeof description === 'string' ? { description } : {}),
    ...(isJsonObject(inputSchema) ? { inputSchema } : {}),
    ...(isJsonObject(annotations) ? { annotations } : {}),
    handler,
  };
}
