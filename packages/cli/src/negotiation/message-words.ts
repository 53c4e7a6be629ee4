import { describeMessage, isSessionMessage, type MacpEnvelope, RUNTIME } from '@proffer/core/negotiation';
import type { Style } from '../terminal/shell.js';
import { formatSpan, visible } from '../terminal/visible.js';

/** Who said what in a negotiation, in a few words. Everything is made visible; only the colours are ours. */
export interface Words {
  readonly who: string;
  readonly what: string;
  readonly detail: string;
}

/** An accepted message as one line. */
export function wordsFor(envelope: MacpEnvelope, style: Style): Words {
  const { by, verb, about, said, tone } = describeMessage(envelope);
  const details = [about, said].filter((text) => text !== '').map(visible);
  return {
    who: by === RUNTIME ? 'runtime' : visible(by),
    what: paintFor(tone, style)(visible(verb)),
    detail: [...details, ...conditions(envelope)].join('  '),
  };
}

/** Who takes part in a session that starts, and how long it may last. */
function conditions(envelope: MacpEnvelope): readonly string[] {
  if (!isSessionMessage(envelope) || envelope.message_type !== 'SessionStart') return [];
  const { participants, ttl_ms } = envelope.payload;
  return [`(${participants.map(visible).join(', ')}; ${formatSpan(ttl_ms)})`];
}

function paintFor(
  tone: ReturnType<typeof describeMessage>['tone'],
  { green, red, yellow, cyan }: Style,
): (text: string) => string {
  switch (tone) {
    case 'good':
      return green;
    case 'bad':
      return red;
    case 'caution':
      return yellow;
    case 'plain':
      return cyan;
  }
}
