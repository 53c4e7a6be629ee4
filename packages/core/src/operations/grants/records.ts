import type { CapabilitySource } from '../../capability/capability.js';
import type { OperationRecord, Recorded } from '../records.js';

/** Every record about a grant is in its holder's stream, and names the grant. */
type AboutGrant = { readonly participant: string; readonly grant: string };

/** Sent by a participant: recognised when it is repeated (O-3), and visible to these whatever `to` says. */
type Said = { readonly fingerprint: string; readonly audience: readonly string[] };

/** A participant lets another do what it may do itself, for a while (O-41). */
export type Granted = Recorded<
  'granted',
  AboutGrant &
    Said & {
      readonly capabilities: readonly CapabilitySource[];
      /** The granter's own capabilities at that moment: the grant covers nothing beyond them. */
      readonly within: readonly CapabilitySource[];
      /** Milliseconds since 1970. */
      readonly until?: number;
      readonly uses?: number;
      /** `true`: it ends when the participant leaves the space. A text: only for this session of the participant. */
      readonly session?: true | string;
      /** The person who granted it, if the operator says who it is (O-30). */
      readonly subject?: string;
      /** The granter was configured at that moment. */
      readonly configured?: true;
    }
>;

export type GrantRevoked = Recorded<
  'grant_revoked',
  Said & {
    readonly participant: string;
    /** The revoked grants. */
    readonly grants: readonly string[];
  }
>;

/** A message that only the grant allows is about to be accepted. Recorded before the message is (O-41). */
export type GrantUsed = Recorded<
  'grant_used',
  AboutGrant & {
    /** The id of that message. */
    readonly message: string;
    /** The message is a proposal that runs by the grant. */
    readonly runs?: true;
    /** How many uses are left after it. */
    readonly left: number;
  }
>;

/** The participant left the space, which ends the grant. */
export type GrantEnded = Recorded<'grant_ended', AboutGrant & { readonly why: 'session_over' }>;

/** Whether its participant's rights have changed. */
export function changesGrants(record: OperationRecord): record is GrantRecord {
  switch (record.type) {
    case 'granted':
    case 'grant_revoked':
    case 'grant_ended':
      return true;
    default:
      return record.type === 'grant_used' && record.facts.left === 0;
  }
}

export type GrantRecord = Granted | GrantRevoked | GrantUsed | GrantEnded;
