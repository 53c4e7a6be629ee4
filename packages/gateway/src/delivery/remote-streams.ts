import type { Envelope } from '@proffer/core';
import type { JsonValue } from '@proffer/core/json';
import type { SharedStream } from '../peers/index.js';
import { FrameCount } from './frame-count.js';
import { type Stream, streamFrom } from './stream.js';
import { streamAfter } from './stream-change.js';

/** The streams of a participant that is connected to another gateway. */
export interface RemoteStreams {
  update(streams: readonly SharedStream[]): void;
  end(): void;
}

/** Actions on the streams known here. */
export interface OpenStreams {
  get(id: string): Stream | undefined;
  begin(stream: Stream): void;
  end(stream: Stream, reason: JsonValue): void;
  /** Puts a stream in the place of the one with the same id. */
  replace(stream: Stream): void;
  /** Tells those who see a stream. */
  tell(stream: Stream, said: Envelope): void;
}

/**
 * The close reason for listeners that missed a part of a stream. If it continues, it is opened to them again.
 */
const INTERRUPTED = 'interrupted';

/** The maximum number of streams whose progress is remembered: one whose gateway was lost may come back. */
const MAX_COUNTS = 1_024;

export function interrupt(stream: Stream, streams: OpenStreams): void {
  streams.end(stream, INTERRUPTED);
  streams.begin(stream);
}

/** @returns the tracker for the streams of one participant at one gateway, as that one reports them */
export function createRemoteStreams(streams: OpenStreams): () => RemoteStreams {
  const counts = new Map<string, FrameCount>();
  /** Which tracker last listed a stream: it may have moved to another participant. */
  const holders = new Map<string, ReadonlySet<string>>();

  function countOf(id: string): FrameCount {
    const count = counts.get(id) ?? new FrameCount();
    counts.set(id, count);
    const [oldest] = counts.keys();
    if (oldest !== undefined && counts.size > MAX_COUNTS) counts.delete(oldest);
    count.open();
    return count;
  }

  return () => {
    const known = new Set<string>();

    function drop(id: string, reason: JsonValue): void {
      const stream = streams.get(id);
      known.delete(id);
      if (holders.get(id) !== known) return;
      holders.delete(id);
      if (stream !== undefined) streams.end(stream, reason);
    }

    function open(opened: Envelope): void {
      const stream = streamFrom(opened);
      known.add(stream.id);
      holders.set(stream.id, known);
      if (streams.get(stream.id) === undefined) streams.begin({ ...stream, frames: countOf(stream.id) });
    }

    return {
      update(shared) {
        const isOpen = new Set<string>();
        for (const { opened, closed, changed, sent } of shared) {
          const described = streamFrom(opened as Envelope);
          const { id, owner, writers } = described;
          if (!known.has(id) && closed === undefined) open(opened as Envelope);
          const before = streams.get(id);
          if (before === undefined || holders.get(id) !== known) continue;
          const stream = streamAfter(before, { owner, writers });
          if (owner !== before.owner || writers.join() !== before.writers.join()) streams.replace(stream);
          if (changed !== undefined) {
            streams.tell(stream, changed as Envelope);
            continue;
          }
          const isMissing = sent !== undefined && stream.frames.reached(gatewayOf(id), sent);
          if (closed !== undefined) drop(id, isMissing ? INTERRUPTED : closed);
          else isOpen.add(id);
          if (closed === undefined && isMissing) interrupt(stream, streams);
        }
        for (const id of known) if (!isOpen.has(id)) drop(id, 'owner_left');
      },
      end() {
        for (const id of known) drop(id, 'owner_left');
      },
    };
  };
}

/** Gateways number their streams: GATEWAY-NUMBER. */
const gatewayOf = (id: string): string => id.slice(0, id.lastIndexOf('-'));
