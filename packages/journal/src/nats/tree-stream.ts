import {
  DiscardPolicy,
  JetStreamApiError,
  type JetStreamClient,
  type JetStreamManager,
  RetentionPolicy,
  StorageType,
} from '@nats-io/jetstream';
import { ENTRY_BYTES, TILE_WIDTH, type TreeRow, type TreeStore, tileBytes } from '../tree-store.js';

export interface TreeStreamOptions {
  readonly client: JetStreamClient;
  readonly manager: JetStreamManager;
  /** The journal's stream; the tree is in one beside it. */
  readonly stream: string;
}

/**
 * Stores the tree of a journal on NATS in a stream beside it, which is created when something is written: the last
 * message of a subject is a tile. All gateways derive the same tree, so it does not matter who wrote it.
 */
export function createTreeStream({ client, manager, stream }: TreeStreamOptions): TreeStore {
  const name = `${stream}-tree`;
  const subjectOf = (row: TreeRow, tile: number): string => `${name}.${row}.${tile}`;
  let created: Promise<unknown> | undefined;

  async function create(): Promise<void> {
    const { config } = await manager.streams.info(stream);
    try {
      await manager.streams.add({
        name,
        description: 'The tree over the journal of Proffer. Only gateways write here.',
        subjects: [`${name}.>`],
        storage: StorageType.File,
        retention: RetentionPolicy.Limits,
        discard: DiscardPolicy.Old,
        max_msgs_per_subject: 1,
        num_replicas: config.num_replicas,
        allow_direct: false,
      });
    } catch (error) {
      // Another gateway was first.
      if (!(error instanceof JetStreamApiError) || error.code !== NAME_IN_USE) throw error;
    }
  }

  /** The stored part of a tile, and the sequence of its message; 0 if there is none. */
  async function last(
    row: TreeRow,
    tile: number,
  ): Promise<{ readonly bytes: Uint8Array; readonly seq: number }> {
    try {
      const found = await manager.streams.getMessage(name, { last_by_subj: subjectOf(row, tile) });
      return { bytes: found?.data ?? new Uint8Array(), seq: found?.seq ?? 0 };
    } catch (error) {
      if (error instanceof JetStreamApiError && NOTHING.has(error.code))
        return { bytes: new Uint8Array(), seq: 0 };
      throw error;
    }
  }

  const read = async (row: TreeRow, tile: number): Promise<Uint8Array> => (await last(row, tile)).bytes;

  return {
    read,
    async write(row, tile, bytes) {
      created ??= create().catch((error: unknown) => {
        created = undefined;
        throw error;
      });
      await created;
      for (;;) {
        const stored = await last(row, tile);
        // A gateway that is behind must not take away what another one stored.
        if (bytes.length < tileBytes(row) && stored.bytes.length >= bytes.length) return;
        try {
          await client.publish(subjectOf(row, tile), bytes, { expect: { lastSubjectSequence: stored.seq } });
          return;
        } catch (error) {
          if (!(error instanceof JetStreamApiError) || !TAKEN.has(error.code)) throw error;
        }
      }
    },
    async count() {
      // Full tiles have no gap, so the first one that is not full is found by halving.
      let full = 0;
      for (let step = 1; await isFull(full + step - 1); step *= 2) full += step;
      for (let step = full; step >= 1; step = Math.floor(step / 2))
        if (await isFull(full + step - 1)) full += step;
      const last = await read('entries', full);
      return full * TILE_WIDTH + Math.floor(last.length / ENTRY_BYTES);
    },
    // A write is acknowledged when it is stored.
    sync: () => Promise.resolve(),
  };

  async function isFull(tile: number): Promise<boolean> {
    return (await read('entries', tile)).length === tileBytes('entries');
  }
}

/** The server's code for a stream that exists, with other settings. */
const NAME_IN_USE = 10_058;

/** Another gateway wrote the tile first. */
const TAKEN: ReadonlySet<number> = new Set([10_071, 10_164]);

/** No such stream, no such message. */
const NOTHING: ReadonlySet<number> = new Set([10_059, 10_037]);
