import { failure, type Result, refuse } from '@proffer/core';
import type { NegotiationCaller, NegotiationCalls } from '../../../negotiation/index.js';
import type { GrpcAdmission } from '../admission.js';
import type { GrpcCall, Input } from './call.js';
import type { MessageReader } from './message-reader.js';
import type { GrpcCaller, GrpcRoute, Receiver } from './route.js';
import type { Unfinished, Unfinishing } from './unfinished.js';

export interface IncomingOptions {
  readonly call: GrpcCall;
  readonly route: GrpcRoute;
  readonly reader: MessageReader;
  /** The caller, if known before anything is read. */
  readonly admitted: Result<NegotiationCaller> | undefined;
  readonly admission: GrpcAdmission;
  readonly unfinished: Unfinished;
}

const NOT_ADMITTED = failure(refuse('UNAUTHENTICATED', 'The token is missing.'));

/**
 * The input of one call: consumes the bytes, and passes the messages to its route. A class, since there is
 * one per message.
 */
export class GrpcInput implements GrpcCaller, Input {
  readonly call: GrpcCall;
  readonly admitted: Result<NegotiationCaller> | undefined;
  readonly #options: IncomingOptions;
  #receiver: Receiver | undefined;
  #unfinishing: Unfinishing | undefined;

  constructor(options: IncomingOptions) {
    this.call = options.call;
    this.admitted = options.admitted;
    this.#options = options;
  }

  /** Makes the route accept the messages. */
  open(): void {
    const { call, route, unfinished } = this.#options;
    if (route.single) this.#unfinishing = unfinished.begin(call);
    call.receive(this);
    this.#receiver = route.open(this);
  }

  push(chunk: Buffer): void {
    const { call, admitted } = this;
    if (call.isOver()) return;
    const fault = this.#options.reader.push(chunk, this);
    if (fault === undefined) return;
    this.#receiver = undefined;
    if (admitted?.ok === false) call.refuse(admitted.refusal);
    else call.finish(fault.status, fault.message);
  }

  /** For the reader: one message is complete. */
  take(message: Buffer): void {
    this.#receiver?.take(message);
  }

  /** The peer has half-closed. */
  end(): void {
    const { call } = this;
    this.#finish();
    if (call.isOver()) return;
    if (this.#options.reader.isEmpty()) this.#receiver?.end();
    else call.finish('INTERNAL', 'The last message is incomplete.');
  }

  over(): void {
    this.#options.reader.release();
    this.#finish();
  }

  #finish(): void {
    const unfinishing = this.#unfinishing;
    if (unfinishing === undefined) return;
    this.#options.unfinished.end(unfinishing);
    this.#unfinishing = undefined;
  }

  checkRightsAndRate(): Result<NegotiationCalls> {
    const { admitted = NOT_ADMITTED } = this;
    return admitted.ok ? admitted.value.checkRightsAndRate() : admitted;
  }

  stay(): Promise<Result<NegotiationCaller>> {
    return this.#options.admission.stay(this.call);
  }
}
