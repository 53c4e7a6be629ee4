import { failure, type Result } from '@proffer/core';
import { type Ack, type Addressed, refusedAck } from '@proffer/core/negotiation';
import { RUNTIME_SERVICE, type WireEnvelope } from '@proffer/wire';
import type { NegotiationCalls, SentMessage } from '../../../negotiation/index.js';
import { frame, type GrpcCall, type GrpcCaller, type GrpcRoute, PREFIX, readAttempt } from '../call/index.js';
import { readSent, refuseMissing } from './envelope.js';

const { send: SEND } = RUNTIME_SERVICE;

interface SendRequest {
  readonly envelope?: WireEnvelope | undefined;
}

const NOBODY: Addressed = { session_id: '', message_id: '' };

/**
 * `Send`: one envelope. All errors are in the Ack, including failed authentication, so the call itself always succeeds.
 */
export const sendRoute: GrpcRoute = { ...readAttempt(SEND, send), access: 'told' };

function send(
  attempt: Result<NegotiationCalls>,
  request: Result<SendRequest>,
  { call }: GrpcCaller,
): undefined {
  const address = (request.ok ? request.value.envelope : undefined) ?? NOBODY;
  if (!attempt.ok) return answer(call, refusedAck(address, attempt.refusal));
  attempt.value.sendThen({ address, decode: () => decode(request) }, (ack) => answer(call, ack));
}

function decode(request: Result<SendRequest>): Result<SentMessage> {
  if (!request.ok) return request;
  const { envelope } = request.value;
  return envelope === undefined ? failure(refuseMissing()) : readSent(envelope);
}

/** Never throws, since others wait for their answers after this one. */
function answer(call: GrpcCall, ack: Ack): undefined {
  try {
    call.reply(frame(SEND.response.write({ ack }, PREFIX)));
  } catch (error) {
    call.fail(error);
  }
}
