import type { JsonObject } from '@proffer/core/json';
import { objectAt, textAt } from '../../json-rpc.js';
import { LONGEST_NAME } from '../asked/index.js';

/** Tools that are remembered, at most (I-7); the others count as those that run in no task. */
const MOST = 1_000;

/** Which tools of a server run as tasks, if a call asks for one or in no other way (2025-11-25), as it showed them last. */
export class TaskSupport {
  readonly #known = new Map<string, 'optional' | 'required'>();

  learn(shown: readonly JsonObject[]): void {
    for (const definition of shown) {
      const name = textAt(definition, 'name');
      const support = textAt(objectAt(definition, 'execution'), 'taskSupport');
      if (support !== 'optional' && support !== 'required') this.#known.delete(name);
      else if (name.length <= LONGEST_NAME && (this.#known.has(name) || this.#known.size < MOST))
        this.#known.set(name, support);
    }
  }

  of(tool: string): 'optional' | 'required' | undefined {
    return this.#known.get(tool);
  }
}
