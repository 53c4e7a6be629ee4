import type { JsonObject } from '@proffer/core/json';
import { objectAt, textAt } from '../../json-rpc.js';
import { LONGEST_NAME } from '../asked/index.js';

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
