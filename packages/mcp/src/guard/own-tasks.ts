import type { JsonValue } from '@proffer/core';
import type { GatedCall } from './gated-call.js';

/** A part of the tasks of one client, the oldest first. */
export interface TaskPage {
  readonly tasks: readonly GatedCall[];
  /** What to ask for the next part with; absent from the last. */
  readonly next?: string;
}

/** Tasks of one client that are remembered; of more, the oldest are not listed (I-7). */
const MOST = 1_000;

/** Tasks in one part of the list. */
const PAGE = 100;

/** What tells a cursor of ours from the server's. */
const CURSOR = 'proffer:';

/** The calls that a client has as tasks of the guard, as `tasks/list` shows them (2025-11-25). */
export class OwnTasks {
  readonly #find: (proposal: string) => GatedCall | undefined;
  /** Numbers that only grow, by proposal: a part goes on where the one before ended, whatever was forgotten meanwhile. */
  readonly #numbers = new Map<string, number>();
  #last = 0;

  /** @param find - a call by its proposal, as long as it is known */
  constructor(find: (proposal: string) => GatedCall | undefined) {
    this.#find = find;
  }

  /** The client has this call as a task. */
  add({ facts }: GatedCall): void {
    if (this.#numbers.has(facts.id)) return;
    this.#numbers.set(facts.id, ++this.#last);
    const [oldest] = this.#numbers.keys();
    if (this.#numbers.size > MOST && oldest !== undefined) this.#numbers.delete(oldest);
  }

  /** The part that a cursor stands for, the first without one; nothing if the cursor is not ours. */
  page(cursor: JsonValue | undefined): TaskPage | undefined {
    const isOurs = typeof cursor === 'string' && cursor.startsWith(CURSOR);
    if (cursor !== undefined && !isOurs) return undefined;
    const tasks: GatedCall[] = [];
    let last = isOurs ? Number(cursor.slice(CURSOR.length)) : 0;
    for (const [id, number] of this.#numbers) {
      if (number <= last) continue;
      const call = this.#find(id);
      if (call === undefined) {
        this.#numbers.delete(id);
      } else if (tasks.length === PAGE) {
        return { tasks, next: `${CURSOR}${last}` };
      } else {
        tasks.push(call);
        last = number;
      }
    }
    return { tasks };
  }
}
