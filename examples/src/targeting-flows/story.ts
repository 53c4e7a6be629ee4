import type { LiveStory } from '../story.js';
import { exclusiveWithFallback } from './exclusive-with-fallback.js';
import { quickRejection } from './quick-rejection.js';
import { simplePreference } from './simple-preference.js';

/** Three ways to say who should take a proposal, over a gateway and real connections. */
export const targetingFlows: LiveStory = {
  title: 'Who takes it',
  about: 'A preference, a quick rejection, and a reservation that falls back to everybody.',
  async tell(print) {
    print('  Simple preference');
    await simplePreference(print);
    print('  Quick rejection');
    await quickRejection(print);
    print('  Exclusive with fallback');
    await exclusiveWithFallback(print);
  },
};
