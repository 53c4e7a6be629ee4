import { type Result, success } from '@proffer/core';
import type { Session } from '@proffer/core/negotiation';
import type { SpaceState } from '@proffer/core/operations';
import { describeCutOff, type Journal, type OpenedJournal, openJournal } from '@proffer/journal';
import type { Logger } from 'pino';
import type { GatewayConfig } from '../config/index.js';
import { type Replay, replayAlone, replayTogether } from './replay.js';
import { openSnapshots, type SnapshotsOptions } from './snapshots.js';

/** Uses the given journal, or opens the configured one; logs if its last write was truncated. */
export async function openGivenJournal(
  given: Journal | undefined,
  { config, log }: { readonly config: GatewayConfig; readonly log: Pick<Logger, 'warn'> },
): Promise<Result<OpenedJournal>> {
  if (given !== undefined) return success({ journal: given });
  const opened = await openJournal(config.journal);
  const dropped = opened.ok ? opened.value.dropped : undefined;
  if (dropped !== undefined) log.warn(dropped, describeCutOff(dropped));
  if (opened.ok && opened.value.journal.durability === 'process') {
    log.warn(
      'a power cut may lose what was acknowledged in the 10 ms before it (journal.durability: process)',
    );
  }
  if (opened.ok) for (const warning of opened.value.warnings ?? []) log.warn(warning);
  return opened;
}

/** How a holder learns history. */
export interface Replayed<State> {
  readonly replay: Replay;
  /** What a snapshot already contains; nothing if there is none. */
  readonly from: State | undefined;
  /** Call it with the state when history is read, before it changes. */
  readonly onReplayed: (state: State) => void;
}

/** Everything that happened, for those who need it before they start. */
export interface History {
  readonly replayed: {
    space(name: string): Replayed<SpaceState>;
    sessions(): Replayed<Iterable<Session>>;
  };
  /** For holders that are not in a snapshot. */
  readonly replay: Replay;
  /** Reads it, for all who have asked. Resolves when they have it. */
  read(): Promise<void>;
  /**
   * At the end, when nothing changes any more: saves the current state, so that the next start need not read
   * it.
   */
  save(liveSpaces: Iterable<SpaceHolder>, negotiation: SessionHolder): Promise<void>;
}

/** Whether every commitment in the history has had its effect: the next start does not look at what a snapshot covers. */
interface AgreementsEffect {
  readonly isSettled: boolean;
  settled(): Promise<void>;
}

interface SpaceHolder {
  readonly host: { readonly state: SpaceState };
}

interface SessionHolder {
  readonly sessions: { all(): Iterable<Session> };
}

/** Determines what has to be read from the journal, and what a snapshot contains. */
export async function openHistory(
  options: SnapshotsOptions & { readonly agreements?: AgreementsEffect },
): Promise<History> {
  const { agreements } = options;
  const snapshots = await openSnapshots(options);
  const { restored } = snapshots;
  const { replay, run } = replayTogether(options.journal, restored?.seq);
  // A long replay should not have to be repeated.
  const draft = await snapshots.draft();
  const unread = new Set<string | typeof SESSIONS>([SESSIONS]);
  for (const { name } of options.spaces) unread.add(name);
  function done(what: string | typeof SESSIONS): void {
    unread.delete(what);
    if (unread.size === 0) void (agreements?.settled() ?? Promise.resolve()).then(() => draft?.save());
  }
  return {
    replayed: {
      space: (name) => ({
        replay,
        from: restored?.spaces.get(name),
        onReplayed(state) {
          draft?.addSpace(state);
          done(name);
        },
      }),
      sessions: () => ({
        replay,
        from: restored?.sessions,
        onReplayed(sessions) {
          draft?.addSessions(sessions);
          done(SESSIONS);
        },
      }),
    },
    replay: restored === undefined ? replay : replayAlone(options.journal),
    read: run,
    async save(liveSpaces, negotiation) {
      // A gateway that did not read everything, or has agreements left to follow, must not save a snapshot.
      const isWhole = unread.size === 0 && agreements?.isSettled !== false;
      const last = isWhole ? await snapshots.draft() : undefined;
      if (last === undefined) return;
      for (const { host } of liveSpaces) last.addSpace(host.state);
      last.addSessions(negotiation.sessions.all());
      await last.save();
    },
  };
}

const SESSIONS: unique symbol = Symbol('sessions');
