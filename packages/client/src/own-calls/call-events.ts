import type { CallApproval, CallerState, NumberedApproval, Owner, ReviewerOffer } from './call-state.js';
import type { OwnCallOutcome } from './outcome.js';

/** The commands of an own call. */
export type CallCommand =
  /** The gateway has stored the proposal. */
  | { readonly type: 'store' }
  | { readonly type: 'join'; readonly caller: CallerState }
  /** A caller was dropped, or continues in another way. */
  | { readonly type: 'leave'; readonly caller: number }
  /** The caller that left no longer wants it. */
  | { readonly type: 'call-off' }
  /** The owner of its task no longer wants it. */
  | { readonly type: 'dismiss'; readonly owner: Owner }
  | { readonly type: 'cancel'; readonly reason: string }
  | { readonly type: 'approve'; readonly approval: NumberedApproval }
  /** An approval that waited for a caller proceeds, if one is still there. */
  | { readonly type: 'begin' }
  /** The run in this process ended this way. */
  | { readonly type: 'finish'; readonly outcome: OwnCallOutcome }
  /** The proposal ended this way in the space. */
  | { readonly type: 'end'; readonly outcome: OwnCallOutcome }
  /** Whether a caller that was sent the outcome received it. */
  | { readonly type: 'hear'; readonly isTold: boolean }
  /** The outcome was sent to a caller, and it is not yet known whether it arrived. */
  | { readonly type: 'doubt' }
  /** Someone got the outcome in another way. */
  | { readonly type: 'deliver' }
  | { readonly type: 'take-as-task' }
  /** A caller was promised that the call waits until it expires. */
  | { readonly type: 'promise' }
  | { readonly type: 'say'; readonly text: string }
  /** A reviewer makes a counter-offer (O-40). */
  | { readonly type: 'offer'; readonly offer: ReviewerOffer }
  /** The outcome is too large: keep this much of it. */
  | { readonly type: 'shrink'; readonly outcome: OwnCallOutcome }
  /** The window that began at this time has ended. */
  | { readonly type: 'end-window'; readonly since: number }
  /** The decision time is up, and the gateway has not said so. */
  | { readonly type: 'expire' };

/** What happened to an own call. */
export type CallRecord =
  | { readonly type: 'stored' }
  | { readonly type: 'joined'; readonly caller: CallerState }
  | { readonly type: 'left'; readonly caller: number }
  | { readonly type: 'approved'; readonly approval: NumberedApproval }
  | { readonly type: 'began'; readonly approval: NumberedApproval }
  | { readonly type: 'ended'; readonly outcome: OwnCallOutcome }
  | { readonly type: 'telling'; readonly caller: number }
  | { readonly type: 'doubted' }
  | { readonly type: 'missed' }
  | { readonly type: 'heard'; readonly isTelling: boolean }
  | { readonly type: 'given-up'; readonly reason: string }
  | { readonly type: 'closed' }
  | { readonly type: 'task-changed'; readonly isTask: boolean }
  | { readonly type: 'promised' }
  | { readonly type: 'said'; readonly text: string }
  | { readonly type: 'offered'; readonly offer: ReviewerOffer }
  | { readonly type: 'shrunk'; readonly outcome: OwnCallOutcome };

/** Why an approval runs nothing. */
export type NotRun =
  /** The call has started or finished. */
  | { readonly type: 'too-late'; readonly reason?: string }
  | { readonly type: 'nobody-waits'; readonly reason: string }
  | { readonly type: 'change-denied'; readonly reason: string };

/** The effects to carry out, in this order. */
export type CallEffect =
  | { readonly type: 'tell'; readonly caller: number; readonly outcome: OwnCallOutcome }
  /** A waiting caller is told about the offer, and comes back with its choice. */
  | { readonly type: 'offer'; readonly caller: number }
  /** Sends `begin` a moment later: the caller that came may cancel it right away. */
  | { readonly type: 'begin-soon' }
  | {
      readonly type: 'run';
      readonly caller: number;
      readonly approval: CallApproval & { readonly number: number };
    }
  | { readonly type: 'refuse'; readonly approval: number; readonly why: NotRun }
  /** Asks the executor to stop the running call: nobody wants it any more. */
  | { readonly type: 'stop' }
  /** Withdraws the proposal in the space. */
  | { readonly type: 'withdraw'; readonly reason: string }
  /** Tells a caller that its task was cancelled, which is not the outcome of the call. */
  | { readonly type: 'dismiss'; readonly caller: number };
