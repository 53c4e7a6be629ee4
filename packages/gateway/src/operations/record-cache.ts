import type { StoredOperation } from '../delivery/index.js';

/** Records that were read a moment ago. */
export interface RecordCache {
  get(place: Pick<StoredOperation, 'stream' | 'version'>): StoredOperation | undefined;
  /** Keeps a record, or uses it again; those that were used least lately make room for it. False if it is too large. */
  keep(record: StoredOperation): boolean;
  /** Characters of all that is kept. */
  size(): number;
}

/** @param most - characters that are kept at most, as the records are written; one that has a quarter of it is not kept */
export function createRecordCache(most: number): RecordCache {
  // Those that were used last are last.
  const kept = new Map<string, { readonly record: StoredOperation; readonly length: number }>();
  let size = 0;
  return {
    get: (place) => kept.get(keyOf(place))?.record,
    keep(record) {
      const key = keyOf(record);
      const known = kept.get(key);
      const length = known?.length ?? JSON.stringify(record).length;
      if (length * 4 >= most) return false;
      kept.delete(key);
      kept.set(key, { record, length });
      if (known === undefined) size += length;
      for (const [oldest, { length: freed }] of kept) {
        if (size <= most) break;
        kept.delete(oldest);
        size -= freed;
      }
      return true;
    },
    size: () => size,
  };
}

/** The version comes first: it ends at the first space, whatever is in the name of a stream. */
function keyOf({ stream, version }: Pick<StoredOperation, 'stream' | 'version'>): string {
  return `${version} ${stream}`;
}
