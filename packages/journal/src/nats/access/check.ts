import type { Result } from '@proffer/core';
import type { BackendFinding, BackendNeeds } from '../../backend.js';
import type { NatsReport, RecentMessages } from './inspect.js';

/** The first version with atomic batches. */
export const OLDEST_SERVER = '2.12';

/** Whether a server is too old to store a journal. */
export function isOldServer(version: string): boolean {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  return major < 2 || (major === 2 && minor < 12);
}

/** The overhead of a record besides its message, in bytes. */
const OVERHEAD = 4_096;

/** What was found out about a journal on NATS. */
export interface NatsExamination {
  readonly inspected: Result<NatsReport>;
  /** Absent if there is no journal yet. */
  readonly recent: Result<RecentMessages> | undefined;
  /** What its operator has allowed, one sentence each. */
  readonly warnings: readonly string[];
  /** What the journal is called in messages. */
  readonly name: string;
}

/** Checks whether a journal's servers answer, can store it, and store it safely, and who wrote what is there. */
export function checkNats(
  { inspected, recent, warnings, name }: NatsExamination,
  { largestMessage }: BackendNeeds,
): readonly BackendFinding[] {
  if (!inspected.ok) return [{ state: 'bad', subject: 'NATS', message: inspected.refusal.message }];
  const { value } = inspected;
  return [
    checkServer(value, largestMessage),
    ...warnings.map((warning) => ({ state: 'warn' as const, subject: 'NATS', message: sentence(warning) })),
    checkStream(value, name),
    ...(recent === undefined ? [] : [checkRecent(recent)]),
  ];
}

const sentence = (text: string): string => `${text.charAt(0).toUpperCase()}${text.slice(1)}.`;

function checkRecent(recent: Result<RecentMessages>): BackendFinding {
  const subject = 'records';
  if (!recent.ok) return { state: 'bad', subject, message: recent.refusal.message };
  const { count, isAll, foreign, unsigned } = recent.value;
  const [first] = foreign;
  const which = isAll ? `All ${count} messages` : `The last ${count} messages`;
  if (first !== undefined) {
    const more = foreign.length === 1 ? '' : ` There are ${foreign.length - 1} more.`;
    return {
      state: 'bad',
      subject,
      message: `${first.message}${more}`,
      remedy: 'proffer verify lists all of them.',
    };
  }
  if (unsigned === 0) return { state: 'good', subject, message: `${which} have the MAC of a gateway.` };
  const message = `${unsigned} of ${count} messages have no MAC, and are accepted (journal.nats.accept_unsigned).`;
  return { state: 'warn', subject, message, remedy: 'A copy into a new stream signs all of them.' };
}

function checkServer({ server, version, isOld, maxPayload }: NatsReport, largest: number): BackendFinding {
  const subject = 'NATS';
  if (isOld) {
    const message = `${server} has version ${version}, which does not support atomic batches.`;
    return { state: 'bad', subject, message, remedy: 'Install NATS 2.12 or newer.' };
  }
  if (maxPayload < largest + OVERHEAD) {
    const message = `${server} accepts messages of up to ${maxPayload} bytes, but the gateway accepts up to ${largest} (limits.message_size), so the largest could not be stored.`;
    const remedy = `Set max_payload: ${largest + OVERHEAD} or more in the NATS configuration, or lower limits.message_size.`;
    return { state: 'warn', subject, message, remedy };
  }
  return { state: 'good', subject, message: `${server} answers, version ${version}.` };
}

function checkStream({ stream }: NatsReport, name: string): BackendFinding {
  const subject = 'journal';
  if (stream === undefined)
    return { state: 'good', subject, message: `${name} will be created at the first start.` };
  const { problems, behind, hasLeader, messages, replicas } = stream;
  if (problems.length > 0) {
    const said = problems.map(({ setting, found, wanted }) => `${setting} is ${found} and must be ${wanted}`);
    const message = `${name} could lose records: ${said.join('; ')}.`;
    return { state: 'bad', subject, message, remedy: 'Change it with: nats stream edit.' };
  }
  if (!hasLeader) {
    const message = `${name} has no leader: most of its servers are down, and nothing can be written.`;
    return { state: 'bad', subject, message, remedy: 'Start the servers that are missing.' };
  }
  const late = `${behind.join(', ')} ${behind.length === 1 ? 'is' : 'are'} down or behind`;
  const current = replicas - behind.length;
  if (current <= replicas / 2) {
    const message = `Only ${current} of ${replicas} servers of ${name} can be counted on: ${late}. While most of them are down, nothing can be written.`;
    return { state: 'bad', subject, message, remedy: 'Start them, or wait until they have caught up.' };
  }
  if (behind.length > 0) {
    const message = `${name} can be written to, but ${late}.`;
    return { state: 'warn', subject, message, remedy: 'Start it, or wait until it has caught up.' };
  }
  const copies = replicas === 1 ? '1 copy' : `${replicas} copies`;
  return {
    state: 'good',
    subject,
    message: `${name} is safe: ${messages} ${messages === 1 ? 'message' : 'messages'}, ${copies} each.`,
  };
}
