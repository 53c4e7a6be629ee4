import { type Ack, quote, type Refusal, refuse } from '@proffer/core';

/** A frame for another session than the stream is for. */
export function refuseOther(sessionId: string, wanted: string): Refusal {
  const what = `This stream is for session ${quote(sessionId)}, not for ${quote(wanted)}; open another one.`;
  return refuse('INVALID_ENVELOPE', what, { field: 'session_id', found: quote(wanted), expected: sessionId });
}

/** A second subscription on one stream. */
export function refuseSecond(sessionId: string): Refusal {
  const what = `This stream follows session ${quote(sessionId)} already; open another one.`;
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

/** A frame that says two things. */
export function refuseBoth(): Refusal {
  const what = 'A frame has an envelope and a session to subscribe to.';
  return refuse('INVALID_ENVELOPE', what, { field: 'subscribe_session_id', expected: 'one of the two' });
}

/** N-6: an envelope that was accepted before. */
export function refuseDuplicate({ message_id }: Ack): Refusal {
  const what = `${quote(message_id)} was accepted before, so nothing happened now.`;
  return refuse('DUPLICATE_MESSAGE', what, { field: 'message_id', found: quote(message_id) });
}
