import type { ParticipantRights } from '@proffer/core/operations';

/** Who is connected to a space. A short absence counts as presence, so that a reconnect goes unnoticed. */
export interface Presence {
  /**
   * One more connection; true if the participant was not present before.
   *
   * @param rights - the participant's rights, as of each call
   */
  join(name: string, rights?: () => ParticipantRights | undefined): boolean;
  /** One connection less. */
  leave(name: string): void;
  isPresent(name: string): boolean;
  /** Whether there is a connection right now; a short absence does not count. */
  isConnected(name: string): boolean;
  /** The rights of a connected participant; `undefined` for anyone else. */
  rightsOf(name: string): ParticipantRights | undefined;
  names(): readonly string[];
  /** Starts the grace period for reconnecting after a start; calls back when it ends. */
  start(onOver: () => void): void;
  /** Permanently: absences no longer count. */
  stop(): void;
}

/**
 * @param grace - how long a participant without a connection still counts as present, in milliseconds; after
 * `start` everyone does for that long, since nobody had time to reconnect
 * @param onGone - called when a participant's absence begins to count
 */
export function createPresence(grace: number, onGone: (name: string) => void): Presence {
  const connections = new Map<string, number>();
  /** By name, from the latest connection. */
  const standings = new Map<string, () => ParticipantRights | undefined>();
  const leaving = new Map<string, NodeJS.Timeout>();
  let starting: NodeJS.Timeout | undefined;
  let returning = true;
  let stopped = false;

  return {
    join(name, rights = unknown) {
      standings.set(name, rights);
      const count = connections.get(name) ?? 0;
      connections.set(name, count + 1);
      const wasLeaving = leaving.get(name);
      clearTimeout(wasLeaving);
      leaving.delete(name);
      return count === 0 && wasLeaving === undefined;
    },
    leave(name) {
      const count = connections.get(name) ?? 0;
      if (count > 1) {
        connections.set(name, count - 1);
        return;
      }
      connections.delete(name);
      standings.delete(name);
      if (stopped) return;
      const goes = setTimeout(() => {
        leaving.delete(name);
        onGone(name);
      }, grace);
      leaving.set(name, goes);
    },
    isPresent: (name) => returning || connections.has(name) || leaving.has(name),
    isConnected: (name) => connections.has(name),
    rightsOf: (name) => standings.get(name)?.(),
    names: () => [...connections.keys(), ...leaving.keys()],
    start(onOver) {
      starting = setTimeout(() => {
        returning = false;
        onOver();
      }, grace);
    },
    stop() {
      stopped = true;
      clearTimeout(starting);
      for (const timer of leaving.values()) clearTimeout(timer);
      leaving.clear();
    },
  };
}

const unknown = (): undefined => undefined;
