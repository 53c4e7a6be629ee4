import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import {
  DiscardPolicy,
  JetStreamApiError,
  type JetStreamManager,
  RetentionPolicy,
  StorageType,
  type StreamConfig,
  type StreamInfo,
} from '@nats-io/jetstream';
import { failure, type Refusal, type Result, refuse, success } from '@proffer/core';
import { defined } from '@proffer/core/json';

/**
 * The version of the message format; every released version must be readable forever. Since 2 all messages have a MAC,
 * and the journal an id that is part of it.
 */
export const NATS_FORMAT = 2;

/** The formats that can be read: a stream keeps the one it was created with. */
const FORMATS: ReadonlySet<string> = new Set(['1', String(NATS_FORMAT)]);

const FORMAT_KEY = 'proffer-format';
const JOURNAL_KEY = 'proffer-journal';

/** What the setup of a journal's stream depends on. */
export interface StreamWishes {
  /** The name of the stream. */
  readonly name: string;
  /** The prefix of its subjects. */
  readonly prefix: string;
  /** How many servers store each record. */
  readonly replicas: number;
  /** The sequence of the first message in a new stream. Default 1. */
  readonly firstSeq?: number;
}

function wantedConfig({
  name,
  prefix,
  replicas,
  firstSeq,
}: StreamWishes): Partial<StreamConfig> & { readonly name: string } {
  return {
    name,
    description: 'The journal of Proffer. Only gateways write here.',
    subjects: [`${prefix}.>`],
    storage: StorageType.File,
    retention: RetentionPolicy.Limits,
    discard: DiscardPolicy.New,
    num_replicas: replicas,
    allow_atomic: true,
    allow_direct: true,
    metadata: { [FORMAT_KEY]: String(NATS_FORMAT), [JOURNAL_KEY]: randomUUID() },
    ...defined({ first_seq: firstSeq }),
  };
}

/** A wrong setting of a stream: what it is, and what it should be. */
export interface SettingProblem {
  readonly setting: string;
  readonly found: string;
  readonly wanted: string;
}

/** The settings of a stream that could lose records, or prevent the journal from writing. */
export function settingProblems(found: StreamConfig, wishes: StreamWishes): readonly SettingProblem[] {
  const { prefix, replicas } = wishes;
  const rules: readonly [string, string | number | boolean | undefined, string, boolean][] = [
    ['storage', found.storage, 'file', found.storage === StorageType.File],
    ['num_replicas', found.num_replicas, `${replicas} or more`, found.num_replicas >= replicas],
    ['retention', found.retention, 'limits', found.retention === RetentionPolicy.Limits],
    ['discard', found.discard, 'new', found.discard === DiscardPolicy.New],
    ['max_age', found.max_age, '0 (no limit)', unlimited(found.max_age)],
    [
      'max_msgs_per_subject',
      found.max_msgs_per_subject,
      '-1 (no limit)',
      unlimited(found.max_msgs_per_subject),
    ],
    ['subjects', found.subjects?.join(', '), `${prefix}.>`, isOnly(found.subjects, `${prefix}.>`)],
    ['allow_atomic', found.allow_atomic, 'true', found.allow_atomic === true],
    ['allow_direct', found.allow_direct, 'true', found.allow_direct],
    ['allow_rollup_hdrs', found.allow_rollup_hdrs, 'false', !found.allow_rollup_hdrs],
    ['allow_msg_ttl', found.allow_msg_ttl, 'false', found.allow_msg_ttl !== true],
    ['no_ack', found.no_ack, 'false', found.no_ack !== true],
    ['sealed', found.sealed, 'false', !found.sealed],
    ['deny_delete', found.deny_delete, 'false (void records are deleted)', !found.deny_delete],
    ['deny_purge', found.deny_purge, 'false (retention purges)', !found.deny_purge],
    ['persist_mode', found.persist_mode, 'default', (found.persist_mode as string | undefined) !== 'async'],
    ['mirror', found.mirror?.name, 'none', found.mirror === undefined],
    ['sources', found.sources?.length, 'none', (found.sources ?? []).length === 0],
    ['subject_transform', found.subject_transform?.dest, 'none', found.subject_transform === undefined],
  ];
  return rules
    .filter(([, , , isRight]) => !isRight)
    .map(([setting, value, wanted]) => ({ setting, found: String(value ?? 'not set'), wanted }));
}

const unlimited = (limit: number | undefined): boolean => limit === undefined || limit <= 0;

function isOnly(subjects: readonly string[] | undefined, wanted: string): boolean {
  return subjects?.length === 1 && subjects[0] === wanted;
}

/** A stream that can store a journal. */
export interface SafeStream {
  /** When it was created, as the servers say. */
  readonly created: string;
  /** The id of the journal; empty in a stream of format 1. */
  readonly journal: string;
}

/**
 * Creates the stream of a journal if there is none. Refuses one whose settings could lose records,
 * and says what to change: an existing stream is never changed silently.
 */
export async function ensureStream(
  manager: JetStreamManager,
  wishes: StreamWishes,
  { create }: { readonly create: boolean },
): Promise<Result<SafeStream>> {
  const { name } = wishes;
  let info: StreamInfo;
  try {
    info = await manager.streams.info(name);
  } catch (error) {
    if (!isStreamNotFound(error)) throw error;
    if (!create)
      return failure(refuse('no_stream', `Stream ${name} not found on these servers.`, { stream: name }));
    try {
      info = await addStream(manager, wantedConfig(wishes));
    } catch (problem) {
      if (!(problem instanceof JetStreamApiError)) throw problem;
      if (problem.code !== NAME_IN_USE) return failure(cannotCreate(problem, wishes));
      // Another gateway that started at the same time was first.
      info = await manager.streams.info(name);
    }
  }
  const { config, created } = info;
  const problems = settingProblems(config, wishes);
  if (problems.length > 0) return failure(unsafe(problems, name));
  const format = config.metadata?.[FORMAT_KEY];
  if (format !== undefined && FORMATS.has(format)) return success({ created, journal: journalIn(config) });
  const message = `The stream ${name} has journal format ${format ?? 'none'}, and this version supports formats up to ${NATS_FORMAT}.`;
  return failure(refuse('unknown_journal_format', message, { stream: name, expected: NATS_FORMAT }));
}

/**
 * Creates a stream. A server that has just started counts as offline until the leader of the cluster has heard from
 * it: a gateway that starts together with the servers waits for that.
 */
async function addStream(
  manager: JetStreamManager,
  config: ReturnType<typeof wantedConfig>,
): Promise<StreamInfo> {
  const end = performance.now() + CLUSTER_START;
  for (;;) {
    try {
      return await manager.streams.add(config);
    } catch (error) {
      const isWaiting = error instanceof JetStreamApiError && error.code === NO_PEERS;
      if (!isWaiting || performance.now() > end) throw error;
      await delay(200);
    }
  }
}

/** The id of the journal in a stream; empty in a stream of format 1. */
export function journalIn({ metadata }: Pick<StreamConfig, 'metadata'>): string {
  return metadata?.[FORMAT_KEY] === '1' ? '' : (metadata?.[JOURNAL_KEY] ?? '');
}

function unsafe(problems: readonly SettingProblem[], stream: string): Refusal {
  const said = problems.map(({ setting, found, wanted }) => `${setting} is ${found} and must be ${wanted}`);
  return refuse(
    'unsafe_stream',
    `The stream ${stream} could lose records: ${said.join('; ')}. Change it with \`nats stream edit ${stream}\`.`,
    { stream, settings: problems.map(({ setting }) => setting) },
  );
}

/** The cluster is too small, or the account lacks the permission: the server's message, with advice. */
function cannotCreate(error: JetStreamApiError, { name, replicas }: StreamWishes): Refusal {
  const { err_code: code, description } = error.apiError();
  const few =
    replicas > 1
      ? ` It needs ${replicas} replicas (journal.nats.replicas), so the cluster must have that many servers with JetStream; with replicas: 1 one server is enough, and what is on it is lost with its disk.`
      : '';
  return refuse('unsafe_stream', `The stream ${name} could not be created: ${description}.${few}`, {
    stream: name,
    cause: String(code),
  });
}

/** How long servers that start together may take to hear from each other, in milliseconds. */
const CLUSTER_START = 30_000;

/** The server's code for too few servers that can store a copy now. */
const NO_PEERS = 10_005;

/** The server's code for a stream that exists, with other settings. */
const NAME_IN_USE = 10_058;

function isStreamNotFound(error: unknown): boolean {
  return error instanceof JetStreamApiError && error.code === 10_059;
}
