import { type Refusal, refuse } from '@proffer/core';
import { quote } from '@proffer/core/json';
import { type Ack } from '@proffer/core/negotiation';

/** A frame for a session other than the stream's. */
export function refuseOther(sessionId: string, wanted: string): Refusal {
  const what = `This stream belongs to session ${quote(sessionId)}, not ${quote(wanted)}; open another stream.`;
  return refuse('INVALID_ENVELOPE', what, { field: 'session_id', found: quote(wanted), expected: sessionId });
}

/** A second subscription on one stream. */
export function refuseSecond(sessionId: string): Refusal {
  const what = `This stream already follows session ${quote(sessionId)}; open another stream.`;
  return refuse('INVALID_ENVELOPE', what, { field: 'subscribe_session_id' });
}

/** An envelope that belongs to no session. */
export function refuseAmbient(): Refusal {
  return refuse('INVALID_ENVELOPE', 'session_id is empty; signals are sent with Send.', {
    field: 'session_id',
    found: 'nothing',
    expected: 'the id of a session',
  });
}

/** A frame with both an envelope and a subscription. */
export function refuseBoth(): Refusal {
  const what = 'A frame has both an envelope and a subscription.';
  return refuse('INVALID_ENVELOPE', what, { field: 'subscribe_session_id', expected: 'one of the two' });
}

/** N-6: an envelope that was accepted before. */
export function refuseDuplicate({ message_id }: Ack): Refusal {
  const what = `${quote(message_id)} was already accepted; nothing changed.`;
  return refuse('DUPLICATE_MESSAGE', what, { field: 'message_id', found: quote(message_id) });
}
