import { describe, expect, it } from 'vitest';
import { refuse } from '../../refusal/refusal.js';
import { given } from '../testing/given.js';
import {
  at,
  callerNamed,
  commit,
  control,
  propose,
  type Step,
  send,
  start,
  startPayload,
} from '../testing/steps.js';
import type { MacpEnvelope } from '../wire/macp-envelope.js';

const unreadable = refuse('PAYLOAD_TOO_LARGE', 'It is too large.');

/** The same step with an unreadable payload. */
function corrupted(step: Step): Step {
  return {
    ...step,
    command: (id) => {
      const command = step.command(id);
      return command.type === 'send' ? { ...command, unreadable } : command;
    },
  };
}

const offer = (change: Partial<MacpEnvelope> = {}): Step => send('buyer', 'Proposal', {}, { change });

describe('an unreadable payload', () => {
  it('N-3: is reported to the sender, for a start and for a message', () => {
    expect(given().when(corrupted(start())).result).toBe('PAYLOAD_TOO_LARGE');
    expect(given(start()).when(corrupted(propose('buyer', 'p1'))).result).toBe('PAYLOAD_TOO_LARGE');
  });

  it.each<readonly [string, readonly Step[], Step, string]>([
    ['N-3: the version', [start()], offer({ macp_version: '2.0' }), 'UNSUPPORTED_PROTOCOL_VERSION'],
    [
      'N-7: the sender',
      [start()],
      send('buyer', 'Proposal', {}, { by: callerNamed('mallory') }),
      'UNAUTHENTICATED',
    ],
    ['N-2: the session id', [start()], offer({ session_id: 'x' }), 'INVALID_SESSION_ID'],
    ['N-3: the mode', [start()], offer({ mode: 'x' }), 'MODE_NOT_SUPPORTED'],
    ['N-8: a missing session', [], offer(), 'SESSION_NOT_FOUND'],
    ['N-2: an existing session', [start()], start(), 'SESSION_ALREADY_EXISTS'],
    ['N-8: an outsider', [start()], send('mallory', 'Proposal', {}), 'FORBIDDEN'],
    ['N-4: an ended session', [start(), control('cancel', 'buyer')], offer(), 'SESSION_NOT_OPEN'],
    ['N-5: an expired session', [start()], at(60_001, offer()), 'SESSION_NOT_OPEN'],
    ['N-10: a sender who may not commit', [start()], commit('seller'), 'FORBIDDEN'],
    [
      'N-1: a sender who may not start',
      [],
      send('buyer', 'SessionStart', startPayload(), {
        by: callerNamed('buyer', { mayStartSessions: false }),
      }),
      'FORBIDDEN',
    ],
  ])('is reported after %s', (_title, before, step, code) => {
    expect(given(...before).when(corrupted(step)).result).toBe(code);
  });
});
