import { randomUUID } from 'node:crypto';
import type { JsonValue } from '@proffer/core/json';
import type { GatedCall } from '../calls/index.js';

/** A page of one client's tasks, oldest first. */
export interface TaskPage {
  readonly tasks: readonly GatedCall[];
  /** The cursor of the next page; absent on the last. */
  readonly next?: string;
}

/** The maximum number of remembered tasks per client; older ones are not listed (I-7). */
const MAX_COUNT = 1_000;

/** Tasks per page. */
const PAGE = 100;

/** What follows a cursor's prefix: the number of the last task before the page. */
const NUMBER = /^[1-9]\d{0,14}$/;

/** The calls that a client has as tasks of the guard, as `tasks/list` shows them (2025-11-25). */
export class OwnTasks {
  readonly #find: (proposal: string) => GatedCall | undefined;
  /** Increasing numbers by proposal: a page continues where the one before ended, whatever was forgotten in between. */
  readonly #numbers = new Map<string, number>();
  /** How long the client wants a task to be available, in milliseconds, by proposal. */
  readonly #wanted = new Map<string, number>();
  /** Distinguishes our cursors from the server's, which may be a guard too. */
  readonly #cursor = `proffer:${randomUUID()}:`;
  readonly #calledOff: WeakSet<GatedCall>;
  #last = 0;

  /**
   * @param find - a call by its proposal, as long as it is known
   * @param calledOff - what the client cancelled on earlier connections; default: nothing
   */
  constructor(find: (proposal: string) => GatedCall | undefined, calledOff = new WeakSet<GatedCall>()) {
    this.#find = find;
    this.#calledOff = calledOff;
  }

  /**
   * The client has this call as a task, even if it cancelled it before.
   *
   * @param ttl - how long it wants the task to be available, in milliseconds, if it said so (2025-11-25)
   */
  add(call: GatedCall, ttl?: number): void {
    const { facts } = call;
    this.#calledOff.delete(call);
    if (ttl !== undefined) this.#wanted.set(facts.id, ttl);
    if (this.#numbers.has(facts.id)) return;
    this.#numbers.set(facts.id, ++this.#last);
    const [oldest] = this.#numbers.keys();
    if (this.#numbers.size <= MAX_COUNT || oldest === undefined) return;
    this.#numbers.delete(oldest);
    this.#wanted.delete(oldest);
  }

  /** How long the client wants a task to be available, in milliseconds, if it said so. */
  wantedTtl(call: GatedCall): number | undefined {
    return this.#wanted.get(call.facts.id);
  }

  /** The task has ended for the client, though the call stays for other waiting callers. */
  callOff(call: GatedCall): void {
    this.#calledOff.add(call);
  }

  /** Whether the client cancelled this task while others waited for the same call. */
  isCalledOff(call: GatedCall): boolean {
    return this.#calledOff.has(call);
  }

  /** Whether a cursor, or none, is for this list; any other is the server's. */
  isOwn(cursor: JsonValue | undefined): cursor is string | undefined {
    return cursor === undefined || (typeof cursor === 'string' && cursor.startsWith(this.#cursor));
  }

  /** The page that one of our cursors means, the first without a cursor; `undefined` if we never issued it. */
  page(cursor: string | undefined): TaskPage | undefined {
    const after = cursor?.slice(this.#cursor.length) ?? '';
    if (cursor !== undefined && !(NUMBER.test(after) && Number(after) <= this.#last)) return undefined;
    const tasks: GatedCall[] = [];
    let last = Number(after);
    for (const [id, number] of this.#numbers) {
      if (number <= last) continue;
      const call = this.#find(id);
      if (call === undefined) {
        this.#numbers.delete(id);
        this.#wanted.delete(id);
      } else if (tasks.length === PAGE) {
        return { tasks, next: `${this.#cursor}${last}` };
      } else {
        tasks.push(call);
        last = number;
      }
    }
    return { tasks };
  }
}
