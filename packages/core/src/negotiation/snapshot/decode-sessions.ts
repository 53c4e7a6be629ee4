import { VersionedMap } from '../../collections/versioned-map.js';
import { modeOf } from '../modes/registry.js';
import type { AcceptedMessage, Activity, Session } from '../session/session.js';
import type { SessionKind, SessionPart, SessionRow } from './session-part.js';

/**
 * Every field, including optional ones: one that is added to a session and forgotten here does not
 * compile.
 */
type EveryField = { readonly [Field in keyof Required<Session>]: Session[Field] };

/** Decodes the parts from `encodeSessions`, in order; returns nothing for a part that is not a session. */
export function decodeSessions(): (part: SessionPart) => Session | undefined {
  const kinds: SessionKind[] = [];
  // The same few names occur in very many sessions.
  const names = new Map<string, string>();
  const share = (name: string): string => {
    const known = names.get(name);
    if (known !== undefined) return known;
    if (names.size < MAX_NAMES) names.set(name, name);
    return name;
  };
  return ([type, part]) => {
    if (type === 'session') return decode(part, kinds[part.kind], share);
    kinds.push(part);
    return undefined;
  };
}

const MAX_NAMES = 10_000;

/** Field by field: one shape for all. */
function decode(from: SessionRow, kind: SessionKind | undefined, share: (name: string) => string): Session {
  if (kind === undefined) throw new Error(`there is no kind of session ${from.kind}`);
  const messages = new Map<string, AcceptedMessage>();
  for (const [id, sender, content, sequence, acceptedAt] of from.messages)
    messages.set(share(id), { sender: share(sender), content, sequence, acceptedAt });
  const activity = new Map<string, Activity>();
  for (const [sender, count, lastAt] of from.activity)
    activity.set(share(sender), { messages: count, lastAt });
  const mode = modeOf(kind);
  const decoded: EveryField = {
    id: from.id,
    mode: kind.mode,
    declared: kind.declared,
    modeVersion: kind.modeVersion,
    configurationVersion: kind.configurationVersion,
    policyVersion: kind.policyVersion,
    namedPolicy: kind.namedPolicy,
    intent: share(from.intent),
    contextId: share(from.contextId),
    extensionKeys: kind.extensionKeys,
    terms: {
      initiator: share(from.initiator),
      participants: new Set(from.participants.map(share)),
      rules: kind.rules,
    },
    startedBy: share(from.startedBy),
    startedAt: from.startedAt,
    status: from.status,
    ending: from.ending,
    openedAt: from.openedAt,
    deadline: from.deadline,
    suspension: from.suspension,
    suspendedMs: from.suspendedMs,
    maxSuspendedMs: kind.maxSuspendedMs,
    version: from.version,
    messages: VersionedMap.owning(messages),
    activity: VersionedMap.owning(activity),
    negotiation: from.negotiation === undefined ? mode.initial : mode.decode(from.negotiation),
  };
  return decoded;
}
