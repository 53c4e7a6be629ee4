import { type Change, defined, type JsonObject, type JsonValue } from '@proffer/core/json';
import type { Origin } from '@proffer/core/operations';
import type { Receipt } from '../connection/message.js';
import type { ProposalRejection } from '../errors.js';
import type { CounterOffer } from './counters.js';
import type { ProposalFulfilment, ProposalUpdate } from './own-proposal.js';

/** The targeting of a proposal, as on the wire (O-20). Times in milliseconds. */
export type TargetingRequest = {
  readonly preferred?: readonly string[];
  /** Whether the gateway selects those present who could fulfil it (O-38), instead of `preferred`. */
  readonly capable?: boolean;
  readonly exclusive?: boolean;
  readonly exclusive_timeout?: number;
  readonly fallback_to_broadcast?: boolean;
  readonly quick_reject?: boolean;
  readonly fallback_timeout?: number;
};

export interface ProposeOptions {
  /** The addressees; default: everyone. */
  readonly to?: string | readonly string[];
  /** Milliseconds until it expires, on the gateway's clock. Default: the space's setting. */
  readonly ttl?: number;
  readonly targeting?: TargetingRequest;
  /** The only executor that may run it. Default: whoever serves the tool (O-26). */
  readonly executor?: string;
  /** The reason, as text for the reviewer; up to 1000 characters. */
  readonly reason?: string;
  /** Proposals that must settle `ok` before this one runs (O-37): their ids, or what `propose` returned. */
  readonly dependsOn?: readonly (string | { readonly id: string })[];
  /**
   * What happens if one of them ends otherwise: `decline` ends it, `keep` leaves it to be decided.
   * Default `decline`.
   */
  readonly onFailure?: 'decline' | 'keep';
  /** Whether a grant that covers it runs it without asking (O-41). Default true. */
  readonly grants?: boolean;
  /** On whose behalf the proposal is made, if not the proposer's own: shown to reviewers. */
  readonly origin?: Origin;
  /** Aborting withdraws the proposal. */
  readonly signal?: AbortSignal;
  /**
   * Default: a new one. Set it to make the same proposal again after a restart: it is not made twice
   * (O-3), and its outcome arrives even if it ended in the meantime.
   */
  readonly id?: string;
  /**
   * What to do when someone rejects it (O-31). `withdraw`: withdraw it on the first rejection by someone who could have
   * approved it, or when everyone addressed has rejected it, and fail with all rejections once that is durable. `wait`:
   * keep waiting for others. `busy`, `incapable` and `timeout` do not count as a rejection. Default `withdraw`.
   */
  readonly onRejection?: 'withdraw' | 'wait';
  /**
   * What to do with a counter-offer (O-40): true accepts it, so that exactly that runs. Default none is accepted
   * automatically; `onStatus` reports them, and {@link ProposalHandle.accept} accepts one.
   */
  readonly onCounter?: (offer: CounterOffer) => boolean | Promise<boolean>;
}

/** What a proposer can see of its proposal, and do with it. */
export interface ProposalHandle {
  readonly id: string;
  /** Settles with the `seq` when the proposal is in the journal. */
  readonly accepted: Promise<number>;
  /** How it was fulfilled, once it was. */
  readonly fulfilment: ProposalFulfilment | undefined;
  /** What the fulfiller changed, so that the proposer learns what really ran; undefined before that. */
  readonly amendment: readonly Change[] | undefined;
  readonly rejections: readonly ProposalRejection[];
  /** The counter-offers with their authors, in order; including our own (O-40). */
  readonly counters: readonly CounterOffer[];
  /** Accepts a counter-offer by its id: exactly that runs. */
  readonly accept: (counterOffer: string) => Promise<Receipt>;
  /** Calls back with everything that happens to it; returns an unsubscribe function. */
  readonly onStatus: (listener: (update: ProposalUpdate) => void) => () => void;
  readonly withdraw: (reason?: string) => Promise<Receipt>;
  /** Extends its time, to this many milliseconds from now (O-36). */
  readonly renew: (ttl: number) => Promise<Receipt>;
}

/** The result to come, and its proposal. */
export type ProposalPromise<Result = JsonValue> = Promise<Result> & ProposalHandle;

/** The payload of the proposing message. */
export function proposalPayload(
  method: string,
  params: JsonObject | undefined,
  {
    ttl,
    targeting,
    executor,
    reason,
    origin,
    dependsOn,
    onFailure,
    grants,
  }: Omit<ProposeOptions, 'to' | 'signal' | 'id' | 'onRejection' | 'onCounter'>,
): JsonObject {
  return {
    method,
    ...defined({ params, ttl, targeting, executor, reason, origin }),
    ...(dependsOn === undefined || dependsOn.length === 0
      ? {}
      : { depends_on: dependsOn.map((before) => (typeof before === 'string' ? before : before.id)) }),
    ...defined({ on_failure: onFailure, grants }),
  };
}
