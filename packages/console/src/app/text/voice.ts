import type { Voice } from '@proffer/core/words';
import { gatewayNow } from '../state/clock.js';
import { HIDDEN, type Hiding, useHiding } from './hiding.js';
import { plainLine, revealedLine } from './marked.js';
import { countdown, momentOf } from './words.js';

/** How the console writes what is not ours, for its reader. */
export function voiceFor(me: string, hiding: Hiding = HIDDEN): Voice {
  return {
    name: (participant) => (participant === me ? 'you' : plainLine(participant)),
    text: (text) => revealedLine(hiding.text(text)),
    span: countdown,
    moment: (time) => momentOf(time, gatewayNow()),
  };
}

/** The voice of a card, where hidden values may be revealed. */
export function useVoice(me: string): Voice {
  return voiceFor(me, useHiding());
}
