import { type Envelope, encodeEnvelope } from '@proffer/core';
import { reaches, type SpaceSettings, type Subscriber } from '@proffer/core/operations';
import type { DeliveryBatch, ReaderFormat } from './batch.js';
import { frameMessage } from './frame.js';
import type { Sink } from './sink.js';

/** A subscriber of a space on a connection. */
export interface Following extends Subscriber {
  /** May change when the peer shows its dialect. */
  readonly reading: ReaderFormat;
  readonly sink: Sink;
  /** False once its credential, or its right to be here, is no longer valid (I-4). */
  readonly mayStay: () => boolean;
}

/** Writes a subscriber's part of a batch, in one write. */
export function deliverBatch(
  subscriber: Following,
  batch: DeliveryBatch,
  settings: Pick<SpaceSettings, 'visibility'>,
): void {
  const { reading, sink } = subscriber;
  if (getsEverything(subscriber, settings)) {
    sink.write(batch.all(reading));
    return;
  }
  const bytes = batch.some(reading, (record) => reaches(record, subscriber, settings));
  if (bytes !== undefined) sink.write(bytes);
}

/** Most subscribers do; for them a batch is one buffer, whatever it contains. */
export function getsEverything(
  { routing, observer }: Subscriber,
  { visibility }: Pick<SpaceSettings, 'visibility'>,
): boolean {
  return routing === 'all' && (visibility === 'all' || observer);
}

/** Writes one message that is not in the journal: a welcome, an error, a presence change. */
export function deliverMessage(
  { reading, sink }: Pick<Following, 'reading' | 'sink'>,
  envelope: Envelope,
): void {
  sink.write(frameEnvelope(reading, envelope));
}

/** A message that is not in the journal, in the form of such a subscriber. */
export function frameEnvelope({ dialect, framing }: ReaderFormat, envelope: Envelope): Buffer {
  return frameMessage(framing, { text: JSON.stringify(encodeEnvelope(envelope, dialect)) });
}
