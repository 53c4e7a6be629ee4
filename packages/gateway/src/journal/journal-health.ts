import type { Journal, JournalEvent } from '@proffer/journal';
import type { Logger } from 'pino';
import type { Metrics } from '../metrics/index.js';

/** Whether messages are accepted. */
export interface Readiness {
  readonly ready: boolean;
  /** Why not, for the caller; contains no file names or people. */
  readonly reason?: string;
}

export interface JournalHealthOptions {
  readonly metrics: Pick<
    Metrics,
    'journalFailures' | 'journalWritable' | 'descriptorsUsedUp' | 'stoppedSpaces' | 'rejectedPeerMessages'
  >;
  readonly log: Pick<Logger, 'fatal' | 'error' | 'warn'>;
  /** Milliseconds since 1970. */
  readonly clock: () => number;
  /** Called when the readiness has changed. */
  readonly onChanged: () => void;
}

/** Of messages that are not from a gateway there may be very many: one line per minute says so. */
const INTERVAL = 60_000;

const STOPPED: Readiness = {
  ready: false,
  reason:
    'A space is stopped: its journal has a record that no gateway wrote. The log names it, and so does `proffer verify`.',
};

/**
 * Watches whether the journal can be written, and whether only gateways write to it: counts each failure, and logs
 * its beginning and end.
 */
export function watchJournal(journal: Journal, options: JournalHealthOptions): () => Readiness {
  const { metrics, log, clock, onChanged } = options;
  let readiness: Readiness = { ready: true };
  let stopped = 0;
  let loggedAt = Number.NEGATIVE_INFINITY;
  metrics.journalWritable.set(1);
  const change = (next: Readiness): void => {
    readiness = next;
    metrics.journalWritable.set(next.ready ? 1 : 0);
    onChanged();
  };
  const heard: { readonly [Type in JournalEvent['type']]: (event: EventOf<Type>) => void } = {
    write_failed: ({ refusal }) => metrics.journalFailures.inc({ cause: causeOf(refusal) }),
    failing({ refusal }) {
      log.error({ refusal }, 'the journal cannot be written to; messages are refused until it can be');
      change({
        ready: false,
        reason: `The journal cannot be written to${inWords(refusal)} (${causeOf(refusal)}).`,
      });
    },
    recovered() {
      // At the same level as the failure, so that it reaches the same readers.
      log.warn('the journal can be written to again');
      change({ ready: true });
    },
    stopped({ space, refusal }) {
      log.fatal(
        { space, refusal },
        'something other than a gateway wrote to the journal; nothing more is delivered or accepted in this space',
      );
      metrics.stoppedSpaces.set(++stopped);
      onChanged();
    },
    peer_rejected() {
      metrics.rejectedPeerMessages.inc();
      if (Math.abs(clock() - loggedAt) < INTERVAL) return;
      loggedAt = clock();
      log.error(
        'a message on the channel between gateways did not come from a gateway, or was signed with another key; it was ignored',
      );
    },
    descriptors_used_up({ refusal }) {
      metrics.descriptorsUsedUp.inc();
      log.warn({ refusal }, 'no file descriptors are left; raise the limit (ulimit -n) or close connections');
    },
  };
  journal.watch?.((event) => (heard[event.type] as (event: JournalEvent) => void)(event));
  return () => (stopped > 0 && readiness.ready ? STOPPED : readiness);
}

type EventOf<Type extends JournalEvent['type']> = JournalEvent & { readonly type: Type };

/** What that means, where the cause is only a number. */
function inWords({ details }: { readonly details: Readonly<Record<string, unknown>> }): string {
  const { meaning } = details;
  return typeof meaning === 'string' ? `: ${meaning}` : '';
}

/** The system's error code, or `MOVED` if the files have moved. */
function causeOf({ details }: { readonly details: Readonly<Record<string, unknown>> }): string {
  const { cause } = details;
  return typeof cause === 'string' ? cause : 'unknown';
}
