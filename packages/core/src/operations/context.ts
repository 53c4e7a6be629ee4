import type { CompiledCapabilities } from '../capability/compiled-capabilities.js';
import type { HashText } from '../hash/sha256.js';
import type { Result } from '../refusal/refusal.js';
import type { SessionAgreement } from './agreements/agreement.js';
import type { AssertionCheck } from './keys/check-assertion.js';
import type { NewKey } from './keys/key.js';
import type { ArgumentCheck } from './proposal/arguments.js';
import type { Proposal } from './proposal/proposal.js';
import type { SpaceSettings } from './settings.js';
import type { SpaceState } from './space/space.js';

/** What the operator allows a participant in a space. */
export interface ParticipantRights {
  readonly capabilities: CompiledCapabilities;
  /**
   * Whether it sees messages between others in a space with restricted visibility (O-21). Default
   * false.
   */
  readonly isObserver?: boolean;
  /** Whether it may run its own proposals, as a guard does (O-26). Default false. */
  readonly runsOwnCalls?: boolean;
  /** Whether all its requests must approve a proposal. Default false. */
  readonly reviewOnly?: boolean;
  /** The participant's roles in policies: `role:…` without the prefix (O-28). Default none. */
  readonly roles?: readonly string[];
  /** The person behind it, who may have several tokens (O-30). Default its name. */
  readonly subject?: string;
  /** Whether the operator's configuration names it; false for one known only by a JWT. Default false. */
  readonly isConfigured?: boolean;
  /** Whether somebody else let it in (O-51): its approvals do not count under a review policy. Default false. */
  readonly isInvited?: boolean;
  /** The person it works for, if the operator says so (O-30). Default no one. */
  readonly worksFor?: string;
}

/** What a decision about a proposal may know besides the proposal: the time, and who is present. */
export interface DecisionContext {
  /** Milliseconds since 1970, on the gateway's clock. */
  readonly now: number;
  /** Whether a participant is connected to the space; a host may count a short absence as presence. */
  readonly isPresent: (participant: string) => boolean;
  /**
   * Whether a participant has a connection right now, so that a request would reach it: only such a
   * participant runs something new. Default as `isPresent`.
   */
  readonly isConnected?: ((participant: string) => boolean) | undefined;
  /** Everyone present. Default no one: then no one is chosen by capability (O-38). */
  readonly present?: (() => readonly string[]) | undefined;
  /** What a present participant may do; `undefined` if unknown. Default: always unknown. */
  readonly rightsOf?: ((participant: string) => ParticipantRights | undefined) | undefined;
  /**
   * Whether retention has removed a proposal that the message names: it has ended, its id is taken, and
   * nothing else is known about it. Default none.
   */
  readonly isRemoved?: ((proposal: string) => boolean) | undefined;
  /**
   * The durable state of a proposal: others must not depend on something that may be rolled back
   * (O-37). Default the state in the space.
   */
  readonly durableOf?: ((proposal: string) => Proposal | undefined) | undefined;
  /** Checks arguments against the schemas that executors announce (O-39). Default: nothing is checked. */
  readonly checkArguments?: ArgumentCheck | undefined;
  /** Checks the signatures of decisions (O-49). Default: none is valid. */
  readonly checkAssertion?: AssertionCheck | undefined;
  /** What the sender of the message may do. Absent if unknown. */
  readonly sender?: ParticipantRights | undefined;
  /** The grant that the message is based on, if the sender's own capabilities do not allow it (O-41). */
  readonly grant?: string | undefined;
  /**
   * The hash of the new secret that the message asks for: a token for an invitation (O-51), or a code to register a key
   * (O-49). SHA-256 in hexadecimal; or why there is none for whoever it is about. Default: neither can be had.
   */
  readonly newToken?: Result<string> | undefined;
  /** The key that the message registers, if its sender has shown to have it (O-49). */
  readonly newKey?: NewKey | undefined;
  /** A faster SHA-256 if the host has one; it must give the same results. */
  readonly hash?: HashText | undefined;
}

/** What choosing an executor needs to know: who serves what in the space, and who is present. */
export interface ExecutorContext extends Pick<DecisionContext, 'isPresent' | 'rightsOf'> {
  /** Whether a participant has a connection right now. */
  readonly isConnected: (participant: string) => boolean;
  readonly space: SpaceState;
}

/** What a decision about a proposal may know. */
export interface ProposalContext extends Omit<DecisionContext, 'isConnected'>, ExecutorContext {
  /** Whether the sender of the message may see a proposal (O-43). Default: it may. */
  readonly seesProposal?: ((proposal: Proposal) => boolean) | undefined;
  /** The session in which the sender accepted or rejected the call, if that is how it decides (O-53). */
  readonly agreement?: SessionAgreement | undefined;
  /** The space's settings, unless a rule applies stricter ones. */
  readonly settings: SpaceSettings;
}
