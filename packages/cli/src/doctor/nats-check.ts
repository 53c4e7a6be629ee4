import type { NatsReport } from '@proffer/journal/nats';
import { count } from '../display/count.js';
import { type NatsPlace, nameOfPlace } from '../journal/place.js';
import type { Finding } from './finding.js';

/** What else a message takes beside itself in its record, in bytes. */
const AROUND = 4_096;

/**
 * Whether the servers of a journal on NATS answer, can keep it, and keep it safely.
 *
 * @param largest - the largest message that the gateway takes, in bytes
 */
export async function checkNats(place: NatsPlace, largest: number): Promise<readonly Finding[]> {
  const { inspectNats } = await import('@proffer/journal/nats');
  const inspected = await inspectNats({ ...place.nats, replicas: place.nats.replicas ?? 3 });
  if (!inspected.ok) {
    const remedy = 'Check journal.nats in the configuration, and that the servers run with JetStream.';
    return [{ state: 'bad', subject: 'NATS', message: inspected.refusal.message, remedy }];
  }
  return [checkServer(inspected.value, largest), checkStream(inspected.value, nameOfPlace(place))];
}

function checkServer({ server, version, isOld, maxPayload }: NatsReport, largest: number): Finding {
  const subject = 'NATS';
  if (isOld) {
    const message = `${server} has version ${version}, which does not support atomic batches.`;
    return { state: 'bad', subject, message, remedy: 'Install NATS 2.12 or newer.' };
  }
  if (maxPayload < largest + AROUND) {
    const message = `${server} takes messages of ${maxPayload} bytes, and the gateway takes ${largest} (limits.message_size): the largest could not be kept.`;
    const remedy = `Set max_payload: ${largest + AROUND} or more in the NATS configuration, or lower limits.message_size.`;
    return { state: 'warn', subject, message, remedy };
  }
  return { state: 'good', subject, message: `${server} answers, version ${version}.` };
}

function checkStream({ stream }: NatsReport, name: string): Finding {
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
  if (behind.length > 0) {
    const message = `${name} is written, but ${behind.join(', ')} is down or behind.`;
    return { state: 'warn', subject, message, remedy: 'Start it, or wait until it has caught up.' };
  }
  const copies = count(replicas, 'copy', 'copies');
  return {
    state: 'good',
    subject,
    message: `${name} is safe: ${count(messages, 'message')}, ${copies} each.`,
  };
}
