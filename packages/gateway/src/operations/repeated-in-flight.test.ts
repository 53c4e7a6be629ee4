import { createMemoryJournal } from '@proffer/journal';
import { describeRepeats } from '../testing/across/repeats.js';
import { shared } from '../testing/journals.js';

describeRepeats('two gateways', () => {
  const journal = createMemoryJournal();
  return Promise.resolve([shared(journal), shared(journal)]);
});
