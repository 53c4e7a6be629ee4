import { Counter, collectDefaultMetrics, Gauge, Registry } from 'prom-client';

/** The upper bounds of the buckets, in seconds. */
const BOUNDS = [0.0005, 0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.5, 2];

const NAME = 'proffer_acknowledgement_seconds';
const HELP = 'Seconds from reading a message to its acknowledgement.';

/**
 * A histogram of message latencies, as plain numbers: a labelled one looks up its labels for each message.
 */
export class Latency {
  /** How many were within each bound and over the one before; the last is for those over all of them. */
  readonly #counts = new Float64Array(BOUNDS.length + 1);
  #sum = 0;

  /** @param seconds - the latency of one message */
  observe(seconds: number): void {
    let bucket = 0;
    while (bucket < BOUNDS.length && seconds > (BOUNDS[bucket] as number)) bucket++;
    this.#counts[bucket] = (this.#counts[bucket] as number) + 1;
    this.#sum += seconds;
  }

  /**
   * The latency within which this share of all messages was handled, as precisely as the buckets tell: the
   * upper bound of one of them, or infinity. `undefined` if there were none.
   *
   * @param share - from 0 to 1
   */
  within(share: number): number | undefined {
    const all = this.#counts.reduce((sum, count) => sum + count, 0);
    if (all === 0) return undefined;
    let count = 0;
    const bucket = this.#counts.findIndex((inBucket) => (count += inBucket) >= share * all);
    return BOUNDS[bucket] ?? Number.POSITIVE_INFINITY;
  }

  /** In Prometheus format: each bucket counts everything up to its bound. */
  text(): string {
    let count = 0;
    const buckets = Array.from(this.#counts, (inBucket, bucket) => {
      count += inBucket;
      return `${NAME}_bucket{le="${BOUNDS[bucket] ?? '+Inf'}"} ${count}\n`;
    });
    const about = `# HELP ${NAME} ${HELP}\n# TYPE ${NAME} histogram\n`;
    return `${about}${buckets.join('')}${NAME}_sum ${this.#sum}\n${NAME}_count ${count}\n`;
  }
}

/** One count of a labelled counter, as a plain number: a counter looks up its labels each time. */
class Tally {
  #count = 0;

  add(): void {
    this.#count++;
  }

  /** Returns and resets the count. */
  take(): number {
    const count = this.#count;
    this.#count = 0;
    return count;
  }
}

/** The outcomes of a message. */
const OUTCOMES = ['accepted', 'duplicate', 'late', 'refused'] as const;

/** Messages of one transport, by outcome. */
type MessageTallies = Readonly<Record<(typeof OUTCOMES)[number], Tally>>;

/** The tallies of a counter, created on first use and added to it when it is read. */
class Tallies {
  readonly #counter: Counter<'transport' | 'outcome'>;
  readonly #byTransport = new Map<string, MessageTallies>();

  constructor(counter: Counter<'transport' | 'outcome'>) {
    this.#counter = counter;
  }

  of(transport: string): MessageTallies {
    const known = this.#byTransport.get(transport);
    if (known !== undefined) return known;
    const made = { accepted: new Tally(), duplicate: new Tally(), late: new Tally(), refused: new Tally() };
    this.#byTransport.set(transport, made);
    return made;
  }

  handOver(): void {
    for (const [transport, tallies] of this.#byTransport) {
      for (const outcome of OUTCOMES) {
        const count = tallies[outcome].take();
        if (count > 0) this.#counter.inc({ transport, outcome }, count);
      }
    }
  }
}

/** The gateway's metrics, for Prometheus. Labels have few values, never names or ids. */
export interface Metrics {
  /** Messages by outcome: accepted, duplicate, late, refused. */
  readonly messages: Counter<'transport' | 'outcome'>;
  /** Counters for hot paths that count every message. */
  readonly messagesBy: (transport: string) => MessageTallies;
  /** Refusals by code. */
  readonly refusals: Counter<'code'>;
  readonly records: Counter<'type'>;
  readonly connections: Gauge<'transport'>;
  /** Connections refused because the limit on open files was reached. */
  readonly droppedConnections: Counter<'transport'>;
  /** Subscribers disconnected because they fell behind. */
  readonly fellBehind: Counter;
  /** Failed journal writes, by error code. */
  readonly journalFailures: Counter<'cause'>;
  /** 1 while the journal can be written, else 0. */
  readonly journalWritable: Gauge;
  /** Spaces that were stopped because something other than a gateway wrote to the journal. */
  readonly stoppedSpaces: Gauge;
  /** Messages between gateways that were not from a gateway. */
  readonly rejectedPeerMessages: Counter;
  /** Other live gateways on the same journal. */
  readonly peerGateways: Gauge;
  /** How often the journal found no file descriptor left; counted once in ten seconds at most. */
  readonly descriptorsUsedUp: Counter;
  /** When a witness last signed a checkpoint, in seconds since 1970; 0 if that is not known. */
  readonly witnessed: Gauge;
  /** Seconds from reading a message to its acknowledgement. */
  readonly latency: Pick<Latency, 'observe' | 'within'>;
  /** Adds what {@link messagesBy} counted to `messages`. */
  catchUp(): void;
  /** For companions with their own metrics. */
  readonly registry: Registry;
  text(): Promise<string>;
  readonly contentType: string;
}

/** Counts records that became durable together, once per type: each count looks up its labels. */
export function countRecords({ records }: Metrics, durable: readonly { readonly type: string }[]): void {
  const counts = new Map<string, number>();
  for (const { type } of durable) counts.set(type, (counts.get(type) ?? 0) + 1);
  for (const [type, count] of counts) records.inc({ type }, count);
}

export function createMetrics(): Metrics {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const registers = [registry];
  const messages = new Counter({
    name: 'proffer_messages_total',
    help: 'Messages received, by transport and outcome.',
    labelNames: ['transport', 'outcome'],
    registers,
  });
  const tallies = new Tallies(messages);
  const latency = new Latency();
  return {
    messages,
    messagesBy: (transport) => tallies.of(transport),
    refusals: new Counter({
      name: 'proffer_refusals_total',
      help: 'Refused messages and connections, by code.',
      labelNames: ['code'],
      registers,
    }),
    records: new Counter({
      name: 'proffer_records_total',
      help: 'Records that became durable, by type.',
      labelNames: ['type'],
      registers,
    }),
    connections: new Gauge({
      name: 'proffer_connections',
      help: 'Open connections, by transport.',
      labelNames: ['transport'],
      registers,
    }),
    droppedConnections: new Counter({
      name: 'proffer_connections_dropped_total',
      help: 'Connections refused because the limit on open files was reached, by transport.',
      labelNames: ['transport'],
      registers,
    }),
    fellBehind: new Counter({
      name: 'proffer_subscribers_fell_behind_total',
      help: 'Subscribers disconnected because they read too slowly.',
      registers,
    }),
    journalFailures: new Counter({
      name: 'proffer_journal_write_failures_total',
      help: 'Failed journal writes, by error code.',
      labelNames: ['cause'],
      registers,
    }),
    stoppedSpaces: new Gauge({
      name: 'proffer_journal_stopped_spaces',
      help: 'Spaces that are stopped because their journal has a record that no gateway wrote.',
      registers,
    }),
    rejectedPeerMessages: new Counter({
      name: 'proffer_peer_messages_rejected_total',
      help: 'Messages on the channel between gateways that were not from a gateway.',
      registers,
    }),
    journalWritable: new Gauge({
      name: 'proffer_journal_writable',
      help: 'Whether the journal can be written.',
      registers,
    }),
    peerGateways: new Gauge({
      name: 'proffer_peer_gateways',
      help: 'Other live gateways on the same journal.',
      registers,
    }),
    descriptorsUsedUp: new Counter({
      name: 'proffer_file_descriptors_used_up_total',
      help: 'How often the journal ran out of file descriptors, counted at most once in ten seconds.',
      registers,
    }),
    witnessed: new Gauge({
      name: 'proffer_log_witnessed_timestamp_seconds',
      help: 'When a witness last signed a checkpoint of the log; 0 if that is not known.',
      registers,
    }),
    latency,
    registry,
    catchUp: () => tallies.handOver(),
    async text() {
      tallies.handOver();
      return `${await registry.metrics()}\n${latency.text()}`;
    },
    contentType: registry.contentType,
  };
}
