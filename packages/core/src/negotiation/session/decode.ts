import type { JsonObject } from '../../json/json.js';
import { decodeMap } from '../modes/encode-map.js';
import { modeOf } from '../modes/registry.js';
import type { PolicyRules } from '../policy/rules.js';
import type { AcceptedMessage, Activity, Session, SessionState } from './session.js';

/** Every field, also those that may be absent: one that is added to a session and forgotten here does not compile. */
type EveryField = { readonly [Field in keyof Required<Session>]: Session[Field] };

/** What `encodeSession` gives of a session that has begun. */
type Encoded = Omit<Session, 'terms' | 'messages' | 'activity' | 'negotiation'> & {
  readonly terms: {
    readonly initiator: string;
    readonly participants: readonly string[];
    readonly rules: PolicyRules;
  };
  readonly messages: readonly (readonly [string, AcceptedMessage])[];
  readonly activity: readonly (readonly [string, Activity])[];
  readonly negotiation: JsonObject;
};

/** The session that `encodeSession` gave this JSON for. Field by field: one shape for all. */
export function decodeSession(json: JsonObject): SessionState {
  const from = json as unknown as Encoded;
  const { initiator, participants, rules } = from.terms;
  const decoded: EveryField = {
    id: from.id,
    mode: from.mode,
    modeVersion: from.modeVersion,
    configurationVersion: from.configurationVersion,
    policyVersion: from.policyVersion,
    namedPolicy: from.namedPolicy,
    intent: from.intent,
    contextId: from.contextId,
    extensionKeys: from.extensionKeys,
    terms: { initiator, participants: new Set(participants), rules },
    startedBy: from.startedBy,
    startedAt: from.startedAt,
    status: from.status,
    ending: from.ending,
    openedAt: from.openedAt,
    deadline: from.deadline,
    suspension: from.suspension,
    suspendedMs: from.suspendedMs,
    maxSuspendedMs: from.maxSuspendedMs,
    version: from.version,
    messages: decodeMap(from.messages),
    activity: decodeMap(from.activity),
    negotiation: modeOf(from).decode(from.negotiation),
  };
  return decoded;
}
