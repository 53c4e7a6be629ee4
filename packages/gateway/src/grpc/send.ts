import { type Addressed, type Result, refusedAck } from '@proffer/core';
import { RUNTIME_SERVICE, type WireEnvelope } from '@proffer/wire';
import { frame } from './call.js';
import { readSent, refuseMissing } from './envelope.js';
import { PREFIX } from './message-reader.js';
import { type Caller, type Route, readOne, reply } from './route.js';

const { send: SEND } = RUNTIME_SERVICE;

interface SendRequest {
  readonly envelope?: WireEnvelope | undefined;
}

const NOBODY: Addressed = { session_id: '', message_id: '' };

/**
 * `Send`: one envelope. Whatever is wrong with it is said in the Ack, also that nobody could be
 * authenticated; so the call itself always succeeds.
 */
export const sendRoute: Route = { ...readOne(SEND, serveSend), access: 'told' };

async function serveSend(request: Result<SendRequest>, { call, admit }: Caller): Promise<void> {
  const answer = (ack: ReturnType<typeof refusedAck>): void =>
    reply(call, frame(SEND.response.write({ ack }, PREFIX)));
  const envelope = request.ok ? request.value.envelope : undefined;
  const about = envelope ?? NOBODY;
  const admitted = await admit();
  if (!admitted.ok) return answer(refusedAck(about, admitted.refusal));
  if (!request.ok) return answer(refusedAck(NOBODY, request.refusal));
  if (envelope === undefined) return answer(refusedAck(NOBODY, refuseMissing()));
  const sent = readSent(envelope);
  answer(sent.ok ? await admitted.value.send(sent.value) : refusedAck(envelope, sent.refusal));
}
