import { useEffect, useState } from 'preact/hooks';
import type { Space } from '../space/space.js';
import { useStore } from '../state/store.js';
import { type PlacedRecord, readRecords } from './read-records.js';

/** How far the records were read, or why they could not be. */
export type ReadState = 'reading' | 'all' | 'more' | { readonly problem: string };

export interface Records {
  readonly records: readonly PlacedRecord[];
  readonly state: ReadState;
  /** Whether they were read to the end once, or to the end of a page: before that, they are an arbitrary part. */
  readonly isRead: boolean;
  /** Reads the next page, if there is more. */
  readonly readOn: () => void;
}

/**
 * The records of a space, from a place on; new ones are added as they come.
 *
 * @param from - the place after which they begin. Default: all of them
 */
export function useRecords(space: Space, from = 0): Records {
  const [records, setRecords] = useState<readonly PlacedRecord[]>([]);
  const [state, setState] = useState<ReadState>('reading');
  const [isRead, setRead] = useState(false);
  const changes = useStore(space.changes);

  async function readOn(signal: AbortSignal): Promise<void> {
    setState('reading');
    const read = [...records];
    try {
      const isAll = await readRecords(space, {
        after: read.at(-1)?.seq ?? from,
        signal,
        onPage: (page) => {
          read.push(...page);
          setRecords([...read]);
        },
      });
      if (signal.aborted) return;
      setState(isAll ? 'all' : 'more');
      setRead(true);
    } catch (error) {
      setState({ problem: error instanceof Error ? error.message : String(error) });
    }
  }
  const isReading = state === 'reading';
  const isBehind = state === 'all' && space.participant.seq > (records.at(-1)?.seq ?? from);
  useEffect(() => {
    const leaving = new AbortController();
    void readOn(leaving.signal);
    return () => leaving.abort();
  }, [space]);
  const isLive = useStore(space.status).state === 'live';
  useEffect(() => {
    if (isLive && typeof state === 'object') void readOn(new AbortController().signal);
  }, [isLive]);
  useEffect(() => {
    // New records extend the history.
    if (isBehind && !isReading) void readOn(new AbortController().signal);
  }, [changes, isBehind]);
  return { records, state, isRead, readOn: () => void readOn(new AbortController().signal) };
}
