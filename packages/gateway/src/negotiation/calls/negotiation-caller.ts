import { failure, type Refusal, type Result, success } from '@proffer/core';
import { macpRefusal } from '@proffer/core/negotiation';
import type { LimitsConfig } from '../../config/index.js';
import {
  type ActiveSenders,
  createRightsAndRateCheck,
  type NegotiationRights,
  type RateLimiter,
} from '../../door/index.js';
import type { Metrics } from '../../metrics/index.js';
import type { NegotiationRuntime } from '../negotiation-runtime.js';
import type { ReceiptLog } from '../receipts.js';
import type { NegotiationCaller, NegotiationCalls, Transport } from '../runtime.js';
import { createReadCalls } from './read-calls.js';
import { createRegistryCalls } from './registry-calls.js';
import { createSendCalls } from './send-calls.js';

/** The rate limits of callers: messages and session starts per participant, and session starts in total. */
export interface Rates {
  readonly messages: RateLimiter;
  readonly starts: RateLimiter;
  readonly allStarts: RateLimiter;
}

export interface NegotiationCallerOptions {
  readonly negotiation: NegotiationRuntime;
  readonly limits: LimitsConfig;
  readonly rates: Rates;
  readonly metrics: Metrics;
  readonly countRefusal: (code: string) => void;
  readonly transport: Transport;
  readonly activeSenders: ActiveSenders;
  readonly name: string;
  /** What signs receipts, if anything does. */
  readonly evidence: () => ReceiptLog | undefined;
  /** Whether only the operator changes the policies. */
  readonly hasFixedPolicies: boolean;
  /** The caller's current rights; a refusal once its credential is no longer valid (I-4). */
  readonly rights: () => Result<NegotiationRights>;
}

/** What the calls of a caller need. */
export interface CallsOptions extends Omit<NegotiationCallerOptions, 'activeSenders'> {
  /** Whether the credential is still valid. */
  readonly mayStay: () => boolean;
}

/** A sink that is never written to. */
const SILENT = { write() {}, buffered: () => 0, drained: () => Promise.resolve() } as const;

/** An authenticated caller of the runtime. */
export function createNegotiationCaller(options: NegotiationCallerOptions): NegotiationCaller {
  const calls: CallsOptions = {
    ...options,
    rights() {
      const current = options.rights();
      return current.ok ? current : failure(macpRefusal(current.refusal));
    },
    mayStay: () => options.rights().ok,
  };
  const { mayStay, countRefusal } = calls;
  const { name, negotiation, rates, activeSenders, metrics, transport } = options;
  const attempted = success<NegotiationCalls>({
    ...createSendCalls(calls),
    ...countingRefusals(createReadCalls(calls), countRefusal),
    ...countingRefusals(createRegistryCalls(calls), countRefusal),
  });
  const attempt = createRightsAndRateCheck({
    name,
    rights: calls.rights,
    rate: rates.messages,
    activeSenders,
    clock: negotiation.clock,
  });
  const { refused } = metrics.messagesBy(transport);
  return {
    name,
    countRefusal,
    stay: (onEnd) =>
      negotiation.present.listen({ ...SILENT, end: onEnd }, { pick: () => undefined, mayStay }),
    checkRightsAndRate() {
      const allowed = attempt();
      if (allowed.ok) return attempted;
      refused.add();
      countRefusal(allowed.refusal.code);
      return allowed;
    },
  };
}

type Call = (...given: never[]) => unknown;

/** The same calls, each of which also counts its refusals; they return a Result or a promise of one. */
function countingRefusals<Calls extends { readonly [Name in keyof Calls]: Call }>(
  calls: Calls,
  count: (code: string) => void,
): Calls {
  const look = (answer: unknown): unknown => {
    if (answer instanceof Promise) return answer.then(look);
    const refusal = refusalIn(answer);
    if (refusal !== undefined) count(refusal.code);
    return answer;
  };
  const counting = Object.entries<Call>(calls).map(([name, call]) => [
    name,
    (...given: never[]) => look(call(...given)),
  ]);
  return Object.fromEntries(counting) as Calls;
}

function refusalIn(answer: unknown): Refusal | undefined {
  if (typeof answer !== 'object' || answer === null || !('ok' in answer) || answer.ok === true)
    return undefined;
  return 'refusal' in answer ? (answer.refusal as Refusal) : undefined;
}
