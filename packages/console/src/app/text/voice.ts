import type { Voice } from '@proffer/core/words';
import { plainLine } from './marked.js';
import { countdown, timeOfDay } from './words.js';

/** How the console writes what is not ours, for its reader. */
export function voiceFor(me: string): Voice {
  return {
    name: (participant) => (participant === me ? 'you' : plainLine(participant)),
    text: plainLine,
    span: countdown,
    moment: timeOfDay,
  };
}
