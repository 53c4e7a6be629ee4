import type { StoredOperation } from '../../delivery/index.js';

/** Recently read records. */
export interface RecordCache {
  get(place: Pick<StoredOperation, 'stream' | 'version'>): StoredOperation | undefined;
  /**
   * Stores a record, or marks it as used; the least recently used make room for it. False if it is too large.
   */
  keep(record: StoredOperation): boolean;
  /** Total characters stored. */
  size(): number;
}

/**
 * @param most - the maximum total characters of the serialised records; one with a quarter of it is not
 * stored
 */
export function createRecordCache(most: number): RecordCache {
  // Most recently used last.
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

/** The version comes first: it ends at the first space, whatever a stream's name contains. */
function keyOf({ stream, version }: Pick<StoredOperation, 'stream' | 'version'>): string {
  return `${version} ${stream}`;
}
