import type { JsonObject, JsonValue } from '@proffer/core/json';

interface Wanted {
  readonly requests: JsonObject;
  /** Takes answers, some or all. */
  readonly give: (responses: JsonObject) => void;
  readonly fail: (error: Error) => void;
}

/**
 * What a call that its caller has as a task wants to know from it before it goes on (2026-07-28). Clients tell what
 * they have answered by the key of each request, over the whole task: so the keys of each round are marked as its own.
 */
export class TaskInput {
  #wanted: Wanted | undefined;
  #rounds = 0;

  /** What is wanted now, by key; `undefined` if nothing is. */
  get requests(): JsonObject | undefined {
    return this.#wanted?.requests;
  }

  /** Wants all of these; settles with the answers when the last is there, fails with {@link TaskInput.fail}. */
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

  /** What the keys of the next round begin with. */
  nextMark(): string {
    return `${++this.#rounds}.`;
  }

  /** Wants these; answers go on as they come. */
  show(requests: JsonObject, mark: string, { give, fail }: Omit<Wanted, 'requests'>): void {
    const marked = Object.entries(requests).map(([key, request]) => [`${mark}${key}`, request] as const);
    this.#wanted = {
      requests: Object.fromEntries(marked),
      give: (responses) => give(unmarked(responses, mark, requests)),
      fail,
    };
  }

  /** Takes answers; those to what is not wanted stay behind. */
  give(responses: JsonObject): void {
    this.#wanted?.give(responses);
  }

  /** Nobody will answer. */
  fail(error: Error): void {
    const wanted = this.#wanted;
    this.done();
    wanted?.fail(error);
  }

  /** Nothing is wanted any more. */
  done(): void {
    this.#wanted = undefined;
  }
}

function unmarked(responses: JsonObject, mark: string, requests: JsonObject): JsonObject {
  const own = Object.entries(responses).flatMap(([key, response]) => {
    const name = key.startsWith(mark) ? key.slice(mark.length) : undefined;
    return name !== undefined && Object.hasOwn(requests, name) ? [[name, response] as const] : [];
  });
  return Object.fromEntries(own);
}
