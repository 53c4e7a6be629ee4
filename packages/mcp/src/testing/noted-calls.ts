import { type CallJournal, type KeptFact, rememberFacts } from '../guard/recovery/index.js';

/** A call journal that lasts as long as its object, and shows what is in it. */
export interface NotedCalls {
  readonly journal: CallJournal;
  /** The proposals whose outcome somebody has heard, in order. */
  readonly heard: () => readonly string[];
}

/** @param isKept - whether what is noted is found again by the next guard; default it is */
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
