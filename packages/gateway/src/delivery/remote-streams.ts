import type { Envelope } from '@proffer/core';
import type { JsonValue } from '@proffer/core/json';
import type { SharedStream } from '../peers/index.js';
import { FrameCount } from './frame-count.js';
import { type Stream, streamFrom } from './stream.js';

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
      if (stream !== undefined) streams.end(stream, reason);
    }

    function open(opened: Envelope): void {
      const stream = streamFrom(opened);
      known.add(stream.id);
      streams.begin({ ...stream, frames: countOf(stream.id) });
    }

    return {
      update(shared) {
        const isOpen = new Set<string>();
        for (const { opened, closed, sent } of shared) {
          const { id } = streamFrom(opened as Envelope);
          if (!known.has(id) && closed === undefined) open(opened as Envelope);
          const stream = streams.get(id);
          if (stream === undefined) continue;
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
