import { type CallJournal, type KeptFact, rememberFacts } from '../guard/recovery/index.js';

/** A call journal that lives as long as its object, and shows its contents. */
export interface NotedCalls {
  readonly journal: CallJournal;
  /** The proposals whose outcome was delivered, in order. */
  readonly heard: () => readonly string[];
}

/** @param isKept - whether the next guard finds the notes; default: yes */
export function createNotedCalls(isKept = true): NotedCalls {
  const facts: KeptFact[] = [];
  const note = (fact: KeptFact): void => void facts.push(fact);
  return {
    journal: {
      load: async () => rememberFacts(isKept ? facts : []),
      note,
      keep: async (fact) => note(fact),
      flush: async () => {},
    },
    heard: () => facts.flatMap(({ type, id }) => (type === 'heard' ? [id] : [])),
  };
}
