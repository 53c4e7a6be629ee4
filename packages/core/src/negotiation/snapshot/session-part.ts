import type { JsonObject } from '../../json/json.js';
import type { PolicyRules } from '../policy/policy-rules.js';
import type { Session } from '../session/session.js';

/** What very many sessions have in common. Written once, and kept in memory once. */
export type SessionKind = Pick<
  Session,
  | 'mode'
  | 'declared'
  | 'modeVersion'
  | 'configurationVersion'
  | 'policyVersion'
  | 'namedPolicy'
  | 'extensionKeys'
  | 'maxSuspendedMs'
> & { readonly rules: PolicyRules };

/** What is specific to a session. */
export type SessionRow = Pick<
  Session,
  | 'id'
  | 'intent'
  | 'contextId'
  | 'startedBy'
  | 'startedAt'
  | 'status'
  | 'openedAt'
  | 'deadline'
  | 'suspendedMs'
  | 'version'
> &
  Pick<Session, 'suspension' | 'ending'> & {
    /** The index of its kind among all before it. */
    readonly kind: number;
    readonly initiator: string;
    readonly participants: readonly string[];
    readonly messages: readonly MessageRow[];
    readonly activity: readonly ActivityRow[];
    /** Absent while there are no messages. */
    readonly negotiation?: JsonObject;
  };

export type MessageRow = readonly [
  id: string,
  sender: string,
  content: number,
  sequence: number,
  acceptedAt: number,
];

export type ActivityRow = readonly [sender: string, messages: number, lastAt: number];

/** A session as JSON, or the kind of the following sessions; kinds are numbered in order. */
export type SessionPart = readonly ['kind', SessionKind] | readonly ['session', SessionRow];
