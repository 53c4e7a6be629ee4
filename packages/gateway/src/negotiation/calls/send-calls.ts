import { failure, type Refusal, type Result, refuse } from '@proffer/core';
import {
  type Ack,
  type Addressed,
  acceptedAck,
  type ControlCommand,
  checkPayloadSize,
  isAmbient,
  type MacpEnvelope,
  mayRead,
  readSignal,
  refusedAck,
  type SendCommand,
  statusAt,
} from '@proffer/core/negotiation';
import type { NegotiationRights } from '../../door/index.js';
import type { Failed } from '../../host/index.js';
import { refusalForJournalError } from '../../journal/index.js';
import type { NegotiationRuntime } from '../negotiation-runtime.js';
import type { FramedEnvelope, NegotiationCalls, SentMessage } from '../runtime.js';
import type { OpenLimits, SessionOutcome } from '../sessions/session-outcome.js';
import { countedCode } from './counted-code.js';
import type { CallsOptions } from './negotiation-caller.js';

const TOO_LARGE_FOR_NATS =
  'The signal is larger than the NATS servers accept (max_payload): raise that, or lower limits.negotiation_payload_size.';

/** The policies, or the modes. */
type Registry = Pick<NegotiationRuntime['modes'], 'version' | 'catchUp'>;

/** A start that was refused because its policy or its mode is not known here. */
interface Unknown {
  readonly open: OpenLimits;
  readonly before: SessionOutcome | Failed;
  readonly registry: Registry;
  /** How many records of the registry it was decided with. */
  readonly known: number;
}

/** What a caller sends, and what it asks of the runtime about a session: everything that answers with an Ack. */
export function createSendCalls(
  options: CallsOptions,
): Pick<NegotiationCalls, 'send' | 'sendThen' | 'control'> {
  const { negotiation, limits, rates, metrics, transport, name, rights, countRefusal } = options;
  const { sessions, clock } = negotiation;
  const tallies = metrics.messagesBy(transport);

  /** The answer to a refused message, which is counted. */
  function refuseWith(address: Addressed, refusal: Refusal, state?: Ack['session_state']): Ack {
    countRefusal(countedCode(refusal));
    return refusedAck(address, refusal, state);
  }

  /** Counts the outcome of a call. */
  function count(ack: Ack, since: number): Ack {
    const outcome = !ack.ok ? 'refused' : ack.duplicate ? 'duplicate' : 'accepted';
    tallies[outcome].add();
    if (outcome === 'accepted') metrics.latency.observe((clock() - since) / 1000);
    return ack;
  }

  /** The caller's rights, or why it is refused. An admitted caller must leave the runtime. */
  function enter(): Result<NegotiationRights> {
    const current = rights();
    if (!current.ok) return current;
    return negotiation.enter()
      ? current
      : failure(refuse('unavailable', 'The gateway accepts no more messages.'));
  }

  /** The journal could not be read: the message was not decided. */
  function notDecided(address: Addressed, error: unknown): Ack {
    negotiation.report(error);
    return refuseWith(address, refusalForJournalError(error));
  }

  function decide(
    { envelope, payloadBytes, unreadable }: SentMessage,
    caller: NegotiationRights,
    settle: (ack: Ack) => void,
  ): void {
    const problem = checkPayloadSize(payloadBytes, limits.negotiationPayloadSize) ?? unreadable;
    if (isAmbient(envelope.message_type)) return settle(signal(caller, envelope, problem));
    const refused = envelope.message_type === 'SessionStart' ? takeStart(caller) : undefined;
    if (refused !== undefined) return settle(refuseWith(envelope, refused));
    const command: SendCommand =
      problem === undefined
        ? { type: 'send', caller, envelope }
        : { type: 'send', caller, envelope, unreadable: problem };
    const open = {
      own: caller.maxOpenSessions ?? limits.openSessionsPerParticipant,
      all: limits.openSessions,
    };
    const { policies, modes } = negotiation;
    const known = { policies: policies.version, modes: modes.version };
    sessions.send(command, open, (outcome) => {
      const missing = envelope.message_type === 'SessionStart' ? missingIn(outcome) : undefined;
      if (missing === undefined) return settle(acknowledge(envelope, outcome, caller));
      const [registry, version] = missing === 'policies' ? [policies, known.policies] : [modes, known.modes];
      sendAgain(command, { open, before: outcome, registry, known: version }, settle);
    });
  }

  /** Takes a start from the caller's allowance, and from the total unless it is refused anyway. */
  function takeStart({ mayStartSessions }: NegotiationRights): Refusal | undefined {
    const now = clock();
    return rates.starts.take(name, now) ?? (mayStartSessions ? rates.allStarts.take('', now) : undefined);
  }

  /**
   * Another gateway may have registered it: its record has not arrived here, or only since the message was
   * decided with what was known then.
   */
  function sendAgain(
    command: SendCommand,
    { open, before, registry, known }: Unknown,
    settle: (ack: Ack) => void,
  ): void {
    const { envelope, caller } = command;
    const conclude = (outcome: SessionOutcome | Failed): void =>
      settle(acknowledge(envelope, outcome, caller));
    registry.catchUp({ isCertain: true }).then(
      () => (registry.version > known ? sessions.send(command, open, conclude) : conclude(before)),
      (error: unknown) => settle(notDecided(envelope, error)),
    );
  }

  function signal(caller: NegotiationRights, envelope: MacpEnvelope, problem: Refusal | undefined): Ack {
    const read = readSignal(caller, envelope, problem);
    if (!read.ok) return refuseWith(envelope, read.refusal);
    if (!negotiation.passOn(read.value))
      return refuseWith(envelope, refuse('unavailable', TOO_LARGE_FOR_NATS));
    return acceptedAck(envelope, { time: clock(), state: 'UNSPECIFIED' });
  }

  function acknowledge(
    address: Addressed,
    outcome: SessionOutcome | Failed,
    caller: SendCommand['caller'],
  ): Ack {
    if (outcome.status === 'failed') return notDecided(address, outcome.error);
    const { state } = outcome;
    const isKnown = state !== undefined && mayRead(state, caller);
    const status: Ack['session_state'] = isKnown ? statusAt(state, clock()) : 'UNSPECIFIED';
    if (outcome.status === 'refused') return refuseWith(address, outcome.refusal, status);
    if (outcome.status === 'accepted') {
      const [record] = outcome.records;
      const { session_id } = address;
      const message_id = record?.envelope.message_id ?? address.message_id;
      const acceptance = { time: record?.time ?? 0, state: status, sequence: record?.version };
      return acceptedAck({ session_id, message_id }, acceptance);
    }
    const known = outcome.status === 'duplicate' ? state?.messages.get(address.message_id) : undefined;
    if (known === undefined) return acceptedAck(address, { time: 0, state: status });
    const { sequence, acceptedAt: time } = known;
    return acceptedAck(address, { time, state: status, sequence, duplicate: true });
  }

  /** Admits a call, has it decided, and counts the outcome. */
  function answer(
    address: Addressed,
    begin: (rights: NegotiationRights, settle: (ack: Ack) => void) => void,
    settle: (ack: Ack) => void,
  ): void {
    const since = clock();
    const entered = enter();
    if (!entered.ok) return settle(count(refuseWith(address, entered.refusal), since));
    const finish = (ack: Ack): void => {
      negotiation.leave();
      settle(count(ack, since));
    };
    try {
      begin(entered.value, finish);
    } catch (error) {
      finish(notDecided(address, error));
    }
  }

  function send(sending: FramedEnvelope, settle: (ack: Ack) => void): void {
    const { address } = sending;
    const begin = (caller: NegotiationRights, finish: (ack: Ack) => void): void => {
      const message = sending.decode();
      if (message.ok) decide(message.value, caller, finish);
      else finish(refuseWith(address, message.refusal));
    };
    answer(address, begin, settle);
  }

  return {
    send: (sending) => new Promise((resolve) => send(sending, resolve)),
    sendThen: send,

    control: (type, sessionId, reason) => {
      const address = { session_id: sessionId, message_id: '' };
      return new Promise((resolve) => {
        answer(
          address,
          (caller, finish) => {
            const command: ControlCommand = { type, caller, sessionId, reason };
            sessions.submit(sessionId, command, (outcome) => finish(acknowledge(address, outcome, caller)));
          },
          resolve,
        );
      });
    },
  };
}

/** The registry in which something was not found. */
function missingIn(outcome: SessionOutcome | Failed): 'policies' | 'modes' | undefined {
  if (outcome.status !== 'refused') return undefined;
  if (outcome.refusal.code === 'UNKNOWN_POLICY_VERSION') return 'policies';
  return outcome.refusal.code === 'MODE_NOT_SUPPORTED' ? 'modes' : undefined;
}
