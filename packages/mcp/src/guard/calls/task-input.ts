import type { JsonObject, JsonValue } from '@proffer/core/json';
import type { GatedCall } from './propose-call.js';

interface Wanted {
  readonly requests: JsonObject;
  /** Accepts answers, some or all. */
  readonly give: (responses: JsonObject) => void;
  readonly fail: (error: Error) => void;
}

/**
 * What a call that runs as a task needs to know from its caller before it continues (2026-07-28). Clients identify
 * answers by the key of each request over the whole task, so the keys of each round are made unique.
 */
export class TaskInput {
  #wanted: Wanted | undefined;
  #rounds = 0;

  /** The requests that are open now, by key; `undefined` if there are none. */
  get requests(): JsonObject | undefined {
    return this.#wanted?.requests;
  }

  /**
   * Asks for all of these; resolves with the answers when the last one arrives, rejects with {@link
   * TaskInput.fail}.
   */
  ask(requests: JsonObject): Promise<JsonObject> {
    const mark = this.nextMark();
    const given = new Map<string, JsonValue>();
    return new Promise((resolve, reject) => {
      const give = (responses: JsonObject): void => {
        for (const [key, response] of Object.entries(responses)) given.set(key, response ?? null);
        if (given.size < Object.keys(requests).length) return;
        this.done();
        resolve(Object.fromEntries(given));
      };
      this.show(requests, mark, { give, fail: reject });
    });
  }

  /** The key prefix of the next round. */
  nextMark(): string {
    return `${++this.#rounds}.`;
  }

  /** Asks for these; answers are passed on as they arrive. */
  show(requests: JsonObject, mark: string, { give, fail }: Omit<Wanted, 'requests'>): void {
    const marked = Object.entries(requests).map(([key, request]) => [`${mark}${key}`, request] as const);
    this.#wanted = {
      requests: Object.fromEntries(marked),
      give: (responses) => give(unmarked(responses, mark, requests)),
      fail,
    };
  }

  /** Accepts answers; those that were not asked for are ignored. */
  give(responses: JsonObject): void {
    this.#wanted?.give(responses);
  }

  /** Nobody will answer. */
  fail(error: Error): void {
    const wanted = this.#wanted;
    this.done();
    wanted?.fail(error);
  }

  /** Closes all open requests. */
  done(): void {
    this.#wanted = undefined;
  }
}

const inputs = new WeakMap<GatedCall, TaskInput>();

/** The questions of a call to a caller that has it as a task. */
export function inputOf(call: GatedCall): TaskInput {
  const known = inputs.get(call);
  if (known !== undefined) return known;
  const input = new TaskInput();
  inputs.set(call, input);
  return input;
}

function unmarked(responses: JsonObject, mark: string, requests: JsonObject): JsonObject {
  const own = Object.entries(responses).flatMap(([key, response]) => {
    const name = key.startsWith(mark) ? key.slice(mark.length) : undefined;
    return name !== undefined && Object.hasOwn(requests, name) ? [[name, response] as const] : [];
  });
  return Object.fromEntries(own);
}
