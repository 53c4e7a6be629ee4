import type { Envelope } from '@proffer/core';
import type { JsonObject, JsonValue } from '@proffer/core/json';
import type {
  ApprovalProgress,
  Counter,
  Delegation,
  Fulfilment,
  OperationOutcome,
  Proposal,
  ProposalDecision,
  ProspectiveExecutor,
  Rejection,
  Status,
} from '@proffer/core/operations';
import type { BatchOutcome } from '../connection/message.js';

/** A proposal as the gateway shows it over HTTP (`viewProposal` in core). */
export type ProposalView = Omit<
  Proposal,
  'rejections' | 'statuses' | 'counters' | 'fulfilment' | 'outcome' | 'delegations' | 'newsAt'
> & {
  /** The counter-offers, oldest first; absent if there are none (O-40). */
  readonly counters?: readonly Counter[];
  readonly rejections: Readonly<Record<string, Rejection>>;
  readonly statuses: Readonly<Record<string, Status>>;
  readonly fulfilment?: Fulfilment;
  readonly outcome?: OperationOutcome;
  readonly decision?: ProposalDecision;
  /** Who delegated their part in it to whom (O-34); older gateways do not say. */
  readonly delegations?: readonly Delegation[];
  /** Who would run it if it were approved now; absent if no one could, and once it is no longer pending. */
  readonly wouldRun?: ProspectiveExecutor;
  /**
   * How many approvals it has, out of how many, and whose are missing; while it is pending and a policy
   * requires any.
   */
  readonly progress?: ApprovalProgress;
};

/**
 * A message as the gateway delivers it. Those outside the journal have no `seq`, and no `time` of
 * acceptance (ms since 1970, on the gateway's clock).
 */
export type LoggedMessage = Envelope & { readonly seq?: number; readonly time?: number };

/**
 * One step in the life of a proposal: the record's type, its time on the gateway's clock, and the
 * message.
 */
export type ProposalStep = {
  readonly type: string;
  readonly time: number;
  readonly facts: JsonObject;
  readonly message: LoggedMessage;
};

/** A proposal with all messages about it, oldest first. */
export interface ProposalWithHistory {
  readonly proposal: ProposalView;
  readonly history: readonly ProposalStep[];
}

/** The outcome of a sent message. */
export type Sent = {
  readonly id: string | null;
  /** `late`: it no longer makes a difference, since the proposal is not pending any more (O-16). */
  readonly status: 'accepted' | 'duplicate' | 'late';
  readonly seq?: number;
  /** For a message about several proposals: one for each (O-35). */
  readonly outcomes?: readonly BatchOutcome[];
  /** For `mcpx.allow.key`: the code with which the participant may register a key, once (O-49). */
  readonly key_code?: { readonly participant: string; readonly code: string; readonly until: number };
};

/** The owner of a token, its spaces, and what it may do there: `GET /whoami`. */
export interface Identity {
  readonly participant: string;
  readonly credential: string;
  readonly observer: boolean;
  readonly spaces: readonly { readonly name: string; readonly capabilities: readonly JsonValue[] }[];
}
