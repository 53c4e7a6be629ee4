import {
  type Ack,
  type Addressed,
  acceptedAck,
  type ControlCommand,
  checkPayloadSize,
  type MacpEnvelope,
  mayRead,
  type Refusal,
  readSignal,
  refuse,
  refusedAck,
  type SendCommand,
  SIGNAL,
  statusAt,
} from '@proffer/core';
import type { NegotiationRights } from '../auth/index.js';
import type { CallsOptions } from './party.js';
import type { Party, SentMessage } from './runtime.js';
import type { SessionVerdict } from './sessions.js';

/** What a party sends, and what it asks of the runtime about a session: everything that answers with an Ack. */
export function createSendCalls(options: CallsOptions): Pick<Party, 'send' | 'control'> {
  const { plane, limits, rates, metrics, transport, name, rights } = options;
  const { sessions, clock } = plane;
  const tallies = metrics.messagesBy(transport);

  /** Counts what became of a call. */
  function count(ack: Ack, since: number): Ack {
    const outcome = !ack.ok ? 'refused' : ack.duplicate ? 'duplicate' : 'accepted';
    tallies[outcome].add();
    if (ack.error !== undefined) metrics.refusals.inc({ code: ack.error.code });
    else if (!ack.duplicate) metrics.latency.observe((clock() - since) / 1000);
    return ack;
  }

  async function answer(
    address: Addressed,
    decide: (rights: NegotiationRights) => Promise<Ack>,
  ): Promise<Ack> {
    const since = clock();
    const current = rights();
    if (!current.ok) return count(refusedAck(address, current.refusal), since);
    const refused = rates.messages.take(name, since);
    if (refused !== undefined) return count(refusedAck(address, refused), since);
    if (!plane.enter()) {
      return count(refusedAck(address, refuse('unavailable', 'The gateway is closing.')), since);
    }
    try {
      return count(await decide(current.value), since);
    } catch (error) {
      // The journal could not be read: the message was not decided.
      plane.report(error);
      return count(refusedAck(address, refuse('unavailable', 'The journal could not be read.')), since);
    } finally {
      plane.leave();
    }
  }

  async function decide(
    { envelope, payloadBytes, unreadable }: SentMessage,
    principal: NegotiationRights,
  ): Promise<Ack> {
    const problem = checkPayloadSize(payloadBytes, limits.negotiationPayloadSize) ?? unreadable;
    if (envelope.message_type === SIGNAL) return signal(principal, envelope, problem);
    const isStart = envelope.message_type === 'SessionStart';
    const refused = isStart ? rates.starts.take(name, clock()) : undefined;
    if (refused !== undefined) return refusedAck(envelope, refused);
    const command: SendCommand =
      problem === undefined
        ? { type: 'send', principal, envelope }
        : { type: 'send', principal, envelope, unreadable: problem };
    const maxOpen = principal.maxOpenSessions ?? limits.openSessionsPerParticipant;
    let verdict = await sessions.send(command, maxOpen);
    const isUnknown = verdict.status === 'refused' && verdict.refusal.code === 'UNKNOWN_POLICY_VERSION';
    // Another gateway may have registered it, and its record not be here yet.
    if (isUnknown && (await plane.policies.catchUp()) === 'more') {
      verdict = await sessions.send(command, maxOpen);
    }
    return acknowledge(envelope, verdict, principal);
  }

  function signal(principal: NegotiationRights, envelope: MacpEnvelope, problem: Refusal | undefined): Ack {
    const read = readSignal(principal, envelope, problem);
    if (!read.ok) return refusedAck(envelope, read.refusal);
    plane.signals.tell(read.value);
    return acceptedAck(envelope, { time: clock(), state: 'UNSPECIFIED' });
  }

  function acknowledge(address: Addressed, verdict: SessionVerdict, principal: NegotiationRights): Ack {
    const { state } = verdict;
    const isKnown = state !== undefined && mayRead(state, principal);
    const status: Ack['session_state'] = isKnown ? statusAt(state, clock()) : 'UNSPECIFIED';
    if (verdict.status === 'refused') return refusedAck(address, verdict.refusal, status);
    if (verdict.status === 'accepted') {
      const [record] = verdict.records;
      const { session_id } = address;
      const message_id = record?.envelope.message_id ?? address.message_id;
      const acceptance = { time: record?.time ?? 0, state: status, sequence: record?.version };
      return acceptedAck({ session_id, message_id }, acceptance);
    }
    const known = verdict.why === 'duplicate' ? state?.messages.get(address.message_id) : undefined;
    if (known === undefined) return acceptedAck(address, { time: 0, state: status });
    const { sequence, acceptedAt: time } = known;
    return acceptedAck(address, { time, state: status, sequence, duplicate: true });
  }

  return {
    send: (message) => answer(message.envelope, (principal) => decide(message, principal)),

    control: (type, sessionId, reason) => {
      const address = { session_id: sessionId, message_id: '' };
      return answer(address, async (principal) => {
        const command: ControlCommand = { type, principal, sessionId, reason };
        return acknowledge(address, await sessions.submit(sessionId, command), principal);
      });
    },
  };
}
