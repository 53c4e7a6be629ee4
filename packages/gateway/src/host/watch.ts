import { createDeadlines } from './deadlines.js';

/** Watches entities: when the clock changes something about one, and when one may be evicted. */
export interface Watch<Entity> {
  /** The current entity; absent if it is gone. */
  see(id: string, entity: Entity | undefined): void;
  /** A due action failed: it is due again in a moment. */
  retry(id: string): void;
  /** Permanently. */
  stop(): void;
}

interface WatchOptions<Entity> {
  readonly clock: () => number;
  /** How long finished entities stay in memory, in milliseconds. */
  readonly keepFor: number;
  /** When the clock next changes something about it; absent: never. */
  readonly dueAt: (entity: Entity) => number | undefined;
  readonly isOver: (entity: Entity) => boolean;
  readonly onDue: (id: string) => void;
  /** These may be evicted, those that are still over. */
  readonly onOver: (ids: readonly string[]) => void;
}

/** How often finished entities are evicted, in milliseconds: often, so that it is never many at once. */
const SWEEP = 1_000;

/** The retry interval after a failed append, in milliseconds. */
const RETRY = 1_000;

export function createWatch<Entity>(options: WatchOptions<Entity>): Watch<Entity> {
  const { clock, keepFor, dueAt, isOver, onDue, onOver } = options;
  const deadlines = createDeadlines(clock, onDue);
  // In the order in which they may be evicted; one that changed since then may be here twice.
  let over: { readonly id: string; readonly at: number }[] = [];
  const sweeper = setInterval(() => {
    const now = clock();
    const count = over.findIndex(({ at }) => at > now);
    const ids = (count === -1 ? over : over.slice(0, count)).map(({ id }) => id);
    over = count === -1 ? [] : over.slice(count);
    if (ids.length > 0) onOver(ids);
  }, SWEEP);
  sweeper.unref();

  return {
    see(id, entity) {
      deadlines.set(id, entity === undefined ? undefined : dueAt(entity));
      if (entity !== undefined && isOver(entity)) over.push({ id, at: clock() + keepFor });
    },
    retry: (id) => deadlines.set(id, clock() + RETRY),
    stop() {
      clearInterval(sweeper);
      deadlines.stop();
    },
  };
}
