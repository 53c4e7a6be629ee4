import { failure, type Result } from '@proffer/core';
import { type Ack, type Addressed, refusedAck } from '@proffer/core/negotiation';
import { RUNTIME_SERVICE, type WireEnvelope } from '@proffer/wire';
import type { Party, SentMessage } from '../../../negotiation/index.js';
import { type Call, type Caller, frame, PREFIX, type Route, readOne } from '../call/index.js';
import { readSent, refuseMissing } from './envelope.js';

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

function serveSend(request: Result<SendRequest>, caller: Caller): Promise<void> | undefined {
  const { admitted } = caller;
  if (admitted === undefined) return caller.admit().then((party) => decide(request, party, caller));
  return decide(request, admitted, caller);
}

function decide(request: Result<SendRequest>, admitted: Result<Party>, { call }: Caller): undefined {
  const envelope = request.ok ? request.value.envelope : undefined;
  if (!admitted.ok) return answer(call, refusedAck(envelope ?? NOBODY, admitted.refusal));
  const sending = { address: envelope ?? NOBODY, decode: () => decode(request) };
  admitted.value.sendThen(sending, (ack) => answer(call, ack));
}

function decode(request: Result<SendRequest>): Result<SentMessage> {
  if (!request.ok) return request;
  const { envelope } = request.value;
  return envelope === undefined ? failure(refuseMissing()) : readSent(envelope);
}

/** Never throws, since others wait for their answers behind this one. */
function answer(call: Call, ack: Ack): undefined {
  try {
    call.reply(frame(SEND.response.write({ ack }, PREFIX)));
  } catch (error) {
    call.fail(error);
  }
}
