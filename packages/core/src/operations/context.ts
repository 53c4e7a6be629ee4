import type { CompiledCapabilities } from '../capability/compiled-capabilities.js';
import type { HashText } from '../hash/sha256.js';
import type { ArgumentCheck } from './proposal/arguments.js';
import type { Proposal } from './proposal/proposal.js';
import type { SpaceSettings } from './settings.js';
import type { SpaceState } from './space/space.js';

/** What the operator lets a participant do in a space. */
export interface Standing {
  readonly capabilities: CompiledCapabilities;
  /** Whether it sees messages between others in a space with restricted visibility (O-21). Default false. */
  readonly isObserver?: boolean;
  /** Whether it may run what it proposed itself, as a guard does (O-26). Default false. */
  readonly runsOwnCalls?: boolean;
  /** Whether every request that it makes must approve a proposal. Default false. */
  readonly reviewOnly?: boolean;
  /** What policies call it by: `role:…` without the prefix (O-28). Default none. */
  readonly roles?: readonly string[];
  /** The person behind it, who may have several tokens (O-30). Default its name. */
  readonly subject?: string;
  /** Whether the operator's configuration names it; false for one known only by a JWT. Default false. */
  readonly isConfigured?: boolean;
  /** The person it works for, if the operator says so (O-30). Default no one. */
  readonly worksFor?: string;
}

/** What a decision about a proposal may know besides the proposal: the time, and who is present. */
export interface Surroundings {
  /** Milliseconds since 1970, on the gateway's clock. */
  readonly now: number;
  /** Whether a participant is connected to the space; a host may count a short absence as presence. */
  readonly isPresent: (participant: string) => boolean;
  /**
   * Whether a participant has a connection at this very moment, so that a request would reach it: only such
   * a one runs something new. Default as `isPresent`.
   */
  readonly isConnected?: ((participant: string) => boolean) | undefined;
  /** Everyone who is present. Default no one: then no one is chosen by capability (O-38). */
  readonly present?: (() => readonly string[]) | undefined;
  /** What a participant that is there may do; `undefined` where that is not known. Default it never is. */
  readonly standingOf?: ((participant: string) => Standing | undefined) | undefined;
  /**
   * Whether retention has removed a proposal that the message names: it has ended, its id is taken, and nothing else is
   * known about it. Default none.
   */
  readonly isRemoved?: ((proposal: string) => boolean) | undefined;
  /**
   * The durable state of a proposal: what others wait for must not turn out not to have happened (O-37). Default the
   * state in the space.
   */
  readonly durableOf?: ((proposal: string) => Proposal | undefined) | undefined;
  /** Checks arguments against the schemas that executors announce (O-39). Default nothing is checked. */
  readonly checkArguments?: ArgumentCheck | undefined;
  /** What the sender of the message may do. Absent: nothing is known of that. */
  readonly sender?: Standing | undefined;
  /** The grant that the message rests on, where the sender's own capabilities do not allow it (O-41). */
  readonly grant?: string | undefined;
  /** A faster SHA-256 where the host has one; it must give the same answers. */
  readonly hash?: HashText | undefined;
}

/** What choosing an executor needs to know: who serves what in the space, and who is there. */
export interface Serving extends Pick<Surroundings, 'isPresent' | 'standingOf'> {
  /** Whether a participant has a connection at this very moment. */
  readonly isConnected: (participant: string) => boolean;
  readonly space: SpaceState;
}

/** What a decision about a proposal may know. */
export interface ProposalContext extends Omit<Surroundings, 'isConnected'>, Serving {
  /** Whether the sender of the message may see a proposal (O-43). Default it may. */
  readonly seesProposal?: ((proposal: Proposal) => boolean) | undefined;
  /** Those of the space, unless a rule looks at it under stricter ones. */
  readonly settings: SpaceSettings;
}
