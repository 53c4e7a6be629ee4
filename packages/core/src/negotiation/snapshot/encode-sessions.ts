import { defined } from '../../json/defined.js';
import { modeOf } from '../modes/registry.js';
import { isFinal, type Session } from '../session/session.js';
import type { ActivityRow, MessageRow, SessionKind, SessionPart } from './session-part.js';

/** The unfinished sessions, each as a piece of JSON, preceded by what it shares with others. */
export function* encodeSessions(sessions: Iterable<Session>): Generator<SessionPart> {
  const kinds = new Map<string, number>();
  for (const session of sessions) {
    if (isFinal(session.status)) continue;
    const { mode, declared, modeVersion, configurationVersion, policyVersion, namedPolicy, ...own } = session;
    const { extensionKeys, maxSuspendedMs, terms, messages, activity, negotiation, ...plain } = own;
    const { initiator, participants, rules } = terms;
    const version = { modeVersion, configurationVersion, policyVersion, namedPolicy };
    const shared: SessionKind = {
      mode,
      ...defined({ declared }),
      ...version,
      extensionKeys,
      maxSuspendedMs,
      rules,
    };
    const text = JSON.stringify(shared);
    const kind = kinds.get(text) ?? kinds.size;
    if (kind === kinds.size) {
      kinds.set(text, kind);
      yield ['kind', shared];
    }
    yield [
      'session',
      {
        ...plain,
        kind,
        initiator,
        participants: [...participants],
        messages: Array.from(
          messages,
          ([id, { sender, content, sequence, acceptedAt }]): MessageRow => [
            id,
            sender,
            content,
            sequence,
            acceptedAt,
          ],
        ),
        activity: Array.from(
          activity,
          ([name, { messages: count, lastAt }]): ActivityRow => [name, count, lastAt],
        ),
        ...(negotiation === modeOf(session).initial
          ? {}
          : { negotiation: modeOf(session).encode(negotiation) }),
      },
    ];
  }
}
