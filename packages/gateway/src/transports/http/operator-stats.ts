import { type LimitName, REFUSALS, refusalRow, refuse } from '@proffer/core';
import { defined, type JsonObject } from '@proffer/core/json';
import type { Journal } from '@proffer/journal';
import { type GatewayConfig, type LimitsConfig, type Rate, writtenKey } from '../../config/index.js';
import { bearerToken, type CallerIdentity, isOperatorIn } from '../../door/index.js';
import type { JournalLog } from '../../evidence/index.js';
import type { Readiness } from '../../journal/index.js';
import type { Metrics } from '../../metrics/index.js';
import type { SpaceAdmission } from '../../operations/index.js';
import type { Difference } from '../../peers/index.js';
import { replyJson } from './reply.js';
import type { HttpCall } from './router.js';

export interface OperatorStatsOptions {
  readonly admission: SpaceAdmission;
  readonly metrics: Metrics;
  readonly readiness: () => Readiness;
  readonly journal: Pick<Journal, 'durability'>;
  readonly configured: Pick<GatewayConfig, 'limits' | 'journal' | 'spaces'>;
  readonly differences: () => readonly Difference[];
  /** The signed log; `undefined` if none is configured, or it is not open yet. */
  readonly evidence: () => Pick<JournalLog, 'latest' | 'witnesses' | 'witnessed'> | undefined;
  readonly clock: () => number;
  /** When counting began, in milliseconds since 1970. */
  readonly started: number;
}

/**
 * `GET /figures`: the gateway's counts since startup, for operators: those who may pause the approvals of a
 * space. No names and no ids, except that operators of all spaces learn which gateways differ from this one, and
 * in what. Programs that record figures over time read `/metrics`.
 */
export async function answerOperatorStats(call: HttpCall, options: OperatorStatsOptions): Promise<void> {
  const identified = await options.admission.identify(bearerToken(call.request.headers.authorization));
  if (!identified.ok) return call.refuse(identified.refusal);
  call.onAdmitted();
  if (!isOperator(identified.value)) {
    const what = 'The figures are only for operators: those who may pause the approvals of a space.';
    return call.refuse(refuse('capability_violation', what, { missing: 'mcpx.pause.approvals' }));
  }
  const isForAll = isOperatorOfAll(identified.value, options.configured.spaces.keys());
  replyJson(call.response, 200, await operatorStats(options, isForAll ? 'named' : 'counted'));
}

function isOperator(identity: CallerIdentity): boolean {
  return [...identity.spaces.keys()].some((space) => isOperatorIn(identity, space));
}

/** Differences name hosts, and the settings of any space. */
function isOperatorOfAll(identity: CallerIdentity, spaces: Iterable<string>): boolean {
  return [...spaces].every((space) => isOperatorIn(identity, space));
}

async function operatorStats(options: OperatorStatsOptions, shown: 'named' | 'counted'): Promise<JsonObject> {
  const { metrics, readiness, configured, clock, started, journal } = options;
  const differences = options.differences();
  const log = options.evidence();
  metrics.catchUp();
  const [refusals, failures, fellBehind, usedUp, records, peers] = await Promise.all([
    counts(metrics.refusals, 'code'),
    counts(metrics.journalFailures, 'cause'),
    sum(metrics.fellBehind),
    sum(metrics.descriptorsUsedUp),
    sum(metrics.records),
    sum(metrics.peerGateways),
  ]);
  const { ready, reason } = readiness();
  const [half, most] = [0.5, 0.99].map((share) => milliseconds(metrics.latency.within(share)));
  return {
    since: started,
    now: clock(),
    connections: {
      open: Object.fromEntries(await counts(metrics.connections, 'transport')),
      dropped: await sum(metrics.droppedConnections),
      fellBehind,
    },
    messages: Object.fromEntries(await counts(metrics.messages, 'outcome')),
    // `null` if there were none, or if it took longer than measured.
    acknowledged: { half: half ?? null, most: most ?? null },
    refusals: [...refusals]
      .sort(byCount)
      .map(([code, count]) => ({ code, count, advice: refusalRow(code)?.advice ?? null })),
    limits: limitsMet(configured.limits, { refusals, fellBehind }),
    journal: {
      backend: configured.journal.backend,
      ...defined({ durability: journal.durability }),
      writable: ready,
      ...defined({ reason }),
      records,
      failures: Object.fromEntries(failures),
      descriptorsUsedUp: usedUp,
      peers,
      differing: differences.length,
      ...(shown === 'named' ? { differences } : {}),
    },
    ...(log === undefined ? {} : { log: describeLog(log) }),
  };
}

/** What is signed of the log, and by whom. */
function describeLog({
  latest,
  witnesses,
  witnessed,
}: Pick<JournalLog, 'latest' | 'witnesses' | 'witnessed'>): JsonObject {
  return { signed: latest().size, witnesses, ...defined({ witnessed: witnessed() }) };
}

interface Counted {
  get(): Promise<{
    readonly values: readonly {
      readonly labels: Readonly<Partial<Record<string, string | number>>>;
      readonly value: number;
    }[];
  }>;
}

/** Counts by one label, summed over the others. */
async function counts(counted: Counted, label: string): Promise<ReadonlyMap<string, number>> {
  const { values } = await counted.get();
  const byLabel = new Map<string, number>();
  for (const { labels, value } of values) {
    const key = String(labels[label]);
    byLabel.set(key, (byLabel.get(key) ?? 0) + value);
  }
  return byLabel;
}

async function sum(counted: Counted): Promise<number> {
  return (await counted.get()).values.reduce((all, { value }) => all + value, 0);
}

function byCount([, one]: readonly [string, number], [, other]: readonly [string, number]): number {
  return other - one;
}

function milliseconds(seconds: number | undefined): number | undefined {
  return seconds === undefined || !Number.isFinite(seconds) ? undefined : seconds * 1_000;
}

/** Every limit that refused something, how often, and its value. */
function limitsMet(
  limits: LimitsConfig,
  { refusals, fellBehind }: { readonly refusals: ReadonlyMap<string, number>; readonly fellBehind: number },
): readonly JsonObject[] {
  const refused = Object.entries(REFUSALS)
    .filter(([, row]) => row.limits.length > 0)
    .map(([code, row]) => ({
      code,
      met: refusals.get(code) ?? 0,
      limits: row.limits.map((key) => setting(limits, key)),
    }));
  return [
    ...refused,
    { code: 'fell_behind', met: fellBehind, limits: [setting(limits, 'unacknowledgedPerConnection')] },
  ];
}

/** A limit under its name in the configuration. */
function setting(limits: LimitsConfig, key: LimitName | 'unacknowledgedPerConnection'): JsonObject {
  const name = writtenKey(key);
  const value: number | Rate = limits[key];
  return typeof value === 'number' ? { name, value } : { name, value: value.count, per: value.period };
}
