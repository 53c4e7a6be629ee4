import type { Decider } from '@proffer/core';
import type { RecordContent } from '@proffer/core/records';

export type Added = RecordContent & { readonly type: 'added'; readonly facts: { readonly name: string } };

/** A list that accepts each name once, `x+` only after x, and nothing after `end`. */
export const list: Decider<readonly string[], string, Added, undefined> = {
  initial: [],
  decide(state, name) {
    if (state.includes(name)) return { unchanged: 'duplicate' };
    const isEarly = name.endsWith('+') && !state.includes(name.slice(0, -1));
    if (state.includes('end') || isEarly) {
      return { refused: { code: 'SESSION_NOT_OPEN', message: 'No.', details: {} } };
    }
    return { records: [{ type: 'added', time: 0, principal: 'p', envelope: {}, facts: { name } }] };
  },
  evolve: (state, { facts }) => [...state, facts.name],
};
