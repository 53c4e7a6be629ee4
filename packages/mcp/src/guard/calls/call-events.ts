import type { Outcome } from '../outcomes/index.js';
import type { Owner } from '../rounds/index.js';
import type { Approval, CallerState, NumberedApproval, Offer } from './call-state.js';

/** What a guarded call is told. */
export type CallCommand =
  /** The gateway has stored the proposal. */
  | { readonly type: 'store' }
  | { readonly type: 'join'; readonly caller: CallerState }
  /** A caller was dropped, or goes on in another way. */
  | { readonly type: 'leave'; readonly caller: number }
  /** Whoever left does not want it any more. */
  | { readonly type: 'call-off' }
  /** Whoever has it as a task does not want it any more. */
  | { readonly type: 'dismiss'; readonly owner: Owner }
  | { readonly type: 'cancel'; readonly reason: string }
  | { readonly type: 'approve'; readonly approval: NumberedApproval }
  /** An approval that waited for a caller goes on, if one is still there. */
  | { readonly type: 'begin' }
  /** What runs here ended in this way. */
  | { readonly type: 'finish'; readonly outcome: Outcome }
  /** It ended in the space in this way. */
  | { readonly type: 'end'; readonly outcome: Outcome }
  /** Whether someone who was told the outcome has heard it. */
  | { readonly type: 'hear'; readonly isTold: boolean }
  /** Somebody is told, and it is not known yet whether that reaches them. */
  | { readonly type: 'doubt' }
  /** Somebody has got the outcome in another way. */
  | { readonly type: 'deliver' }
  | { readonly type: 'take-as-task' }
  /** Somebody was promised that it waits until it expires. */
  | { readonly type: 'promise' }
  | { readonly type: 'say'; readonly text: string }
  /** Somebody offers to approve something else (O-40). */
  | { readonly type: 'offer'; readonly offer: Offer }
  /** The outcome takes too much room: keep this of it. */
  | { readonly type: 'shrink'; readonly outcome: Outcome }
  /** The window that began then has ended. */
  | { readonly type: 'end-window'; readonly since: number }
  /** The time for a decision is over, and the gateway has not said so. */
  | { readonly type: 'expire' };

/** What happened to a guarded call. `began` of a later round, `promised` and `heard` are also kept in the guard's journal. */
export type CallRecord =
  | { readonly type: 'stored' }
  | { readonly type: 'joined'; readonly caller: CallerState }
  | { readonly type: 'left'; readonly caller: number }
  | { readonly type: 'approved'; readonly approval: NumberedApproval }
  | { readonly type: 'began'; readonly approval: NumberedApproval }
  | { readonly type: 'ended'; readonly outcome: Outcome }
  | { readonly type: 'telling'; readonly caller: number }
  | { readonly type: 'doubted' }
  | { readonly type: 'missed' }
  | { readonly type: 'heard'; readonly isTelling: boolean }
  | { readonly type: 'given-up'; readonly reason: string }
  | { readonly type: 'closed' }
  | { readonly type: 'task-changed'; readonly isTask: boolean }
  | { readonly type: 'promised' }
  | { readonly type: 'said'; readonly text: string }
  | { readonly type: 'offered'; readonly offer: Offer }
  | { readonly type: 'shrunk'; readonly outcome: Outcome };

/** Why an approval runs nothing. */
export type NotRun =
  /** The call has begun or is over. */
  | { readonly type: 'too-late'; readonly reason?: string }
  | { readonly type: 'nobody-waits'; readonly reason: string }
  | { readonly type: 'change-denied'; readonly reason: string };

/** What has to be done about it, in this order. */
export type CallEffect =
  | { readonly type: 'tell'; readonly caller: number; readonly outcome: Outcome }
  /** A caller that is kept waiting hears of the offer, and comes back with what it wants to do. */
  | { readonly type: 'offer'; readonly caller: number }
  /** Tells the call to `begin` a moment later: whoever came may call it off in the same breath. */
  | { readonly type: 'begin-soon' }
  | {
      readonly type: 'run';
      readonly caller: number;
      readonly approval: Approval & { readonly number: number };
    }
  | { readonly type: 'refuse'; readonly approval: number; readonly why: NotRun }
  /** Asks the server to stop what runs: nobody wants it any more. */
  | { readonly type: 'stop' }
  /** Takes the proposal back in the space. */
  | { readonly type: 'withdraw'; readonly reason: string }
  /** Tells somebody that their task is called off, which is not the outcome of the call. */
  | { readonly type: 'dismiss'; readonly caller: number };
