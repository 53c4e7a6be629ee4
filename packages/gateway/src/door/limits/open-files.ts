import { readFileSync } from 'node:fs';
import type { Server } from 'node:net';
import { defined } from '@proffer/core/json';
import type { Logger } from 'pino';
import type { Metrics } from '../../metrics/index.js';

/**
 * How many of the process's file descriptors are reserved for the journal and everything else; a third if that is less.
 */
const RESERVED = 256;

/** The maximum number of strangers of a listener, however many connections it may have. */
const MAX_STRANGERS = 1_000;

/**
 * The share of one address. More than a full accept queue (511): when everyone behind one proxy reconnects at
 * once, all are accepted before the first is read.
 */
const OF_ONE_ADDRESS = 0.6;

/** How many connections a listener may have, so that the process never runs out of files to open. */
export interface ConnectionBudget {
  /** Absent if the system does not report the limit of open files. */
  readonly connections?: number;
  /** How many of these strangers may have: they cannot keep everyone else out. */
  readonly strangers: { readonly total: number; readonly perAddress: number };
}

/** @param openFiles - the limit of the process. Default: the system's */
export function connectionBudget(listeners: number, openFiles = openFileLimit()): ConnectionBudget {
  const reserved = Math.min(RESERVED, Math.ceil((openFiles ?? 0) / 3));
  const connections =
    openFiles === undefined ? undefined : Math.max(1, Math.floor((openFiles - reserved) / listeners));
  const total = Math.min(MAX_STRANGERS, Math.ceil((connections ?? Number.POSITIVE_INFINITY) / 2));
  return { ...defined({ connections }), strangers: { total, perAddress: Math.ceil(total * OF_ONE_ADDRESS) } };
}

/** Linux reports it; elsewhere only the system's refusals show it. */
function openFileLimit(): number | undefined {
  try {
    const [, soft] = /^Max open files\s+(\d+)/m.exec(readFileSync('/proc/self/limits', 'utf8')) ?? [];
    return soft === undefined ? undefined : Number(soft);
  } catch {
    return undefined;
  }
}

/** How often refused connections are logged, in milliseconds. */
const LOG_EVERY = 10_000;

export interface ConnectionLimitOptions {
  readonly budget: ConnectionBudget;
  readonly transport: string;
  readonly log: Pick<Logger, 'error'>;
  readonly metrics: Pick<Metrics, 'droppedConnections'>;
}

/**
 * Refuses connections over the budget as they arrive, and logs it. Without it, a process without free file
 * descriptors drops connections silently, and cannot write the journal.
 */
export function limitConnections(server: Server, options: ConnectionLimitOptions): void {
  const { budget, transport, log, metrics } = options;
  let dropped = 0;
  let loggedAt = Number.NEGATIVE_INFINITY;
  if (budget.connections !== undefined) server.maxConnections = budget.connections;
  server.on('drop', () => {
    dropped++;
    metrics.droppedConnections.inc({ transport });
    if (performance.now() - loggedAt < LOG_EVERY) return;
    loggedAt = performance.now();
    const what = 'connections refused: the limit on open files (ulimit -n) is reached';
    log.error({ transport, dropped, limit: budget.connections }, what);
    dropped = 0;
  });
  server.on('error', (error) => log.error({ err: error, transport }, 'a listener failed'));
}
