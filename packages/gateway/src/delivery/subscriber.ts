import { type Envelope, encodeEnvelope } from '@proffer/core';
import { reaches, type SpaceSettings, type Subscriber } from '@proffer/core/operations';
import type { Batch, Reading } from './batch.js';
import { frameMessage } from './frame.js';
import type { Sink } from './sink.js';

/** Someone who follows a space over a connection. */
export interface Following extends Subscriber {
  /** May change when the peer shows which dialect it speaks. */
  readonly reading: Reading;
  readonly sink: Sink;
  /** False once its credential, or its right to be here, no longer counts (I-4). */
  readonly mayStay: () => boolean;
}

/** Writes what a subscriber gets of a batch, in one piece. */
export function deliverBatch(
  subscriber: Following,
  batch: Batch,
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

/** Most subscribers do; for them a batch is one buffer, whatever is in it. */
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

/** A message that is not in the journal, as someone who reads like that gets it. */
export function frameEnvelope({ dialect, framing }: Reading, envelope: Envelope): Buffer {
  return frameMessage(framing, { text: JSON.stringify(encodeEnvelope(envelope, dialect)) });
}
