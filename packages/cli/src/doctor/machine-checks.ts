import { access, constants, stat, statfs } from 'node:fs/promises';
import { createServer } from 'node:net';
import { dirname } from 'node:path';
import { defined } from '@proffer/core/json';
import type { DefaultPolicy } from '@proffer/core/negotiation';
import { count } from '@proffer/core/words';
import { type Address, formatAddress } from '@proffer/gateway/address';
import { DEFAULT_LIMITS, type NotifyConfig } from '@proffer/gateway/config';
import {
  type BackendFinding,
  checkWritable,
  type JournalPlace,
  noFileAccess,
  verifyLocalJournal,
} from '@proffer/journal';
import { CommandFailure } from '../command-failure.js';
import { gatewayUrl } from '../connection/endpoint.js';
import { type Shell, shellWord } from '../terminal/shell.js';
import { configure } from '../up/configure.js';

/** The finding of any check: those of journals are like all others. */
export type Finding = BackendFinding;

/** @param version - such as 20.19.0 */
export function checkNode(version: string): Finding {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  const fits = (major === 20 && minor >= 19) || (major === 22 && minor >= 12) || major > 22;
  const subject = 'Node';
  if (fits) return { state: 'good', subject, message: version };
  return {
    state: 'bad',
    subject,
    message: `${version} is too old.`,
    remedy: 'Install Node 20.19 or newer (for Node 22: 22.12 or newer).',
  };
}

/** The parts of the configuration that other checks need. */
export interface Configured {
  readonly finding: Finding;
  readonly http: Address;
  /** Absent if gRPC is off, or takes any free port. */
  readonly grpc?: Address;
  /** The local address of a gateway with this configuration; absent without one. */
  readonly url?: string;
  /** The command-line words that start a gateway here. */
  readonly start: string;
  /** The journal; absent without a configuration. */
  readonly journal?: JournalPlace;
  /** The maximum message size of the gateway, in bytes. */
  readonly largestMessage: number;
  /** The notification channels; absent: none. */
  readonly notify?: NotifyConfig;
  /** The default rules for a session that names no policy; absent without a configuration. */
  readonly defaultPolicy?: DefaultPolicy;
}

export function checkConfig(file: string | undefined, shell: Shell): Configured {
  const subject = 'configuration';
  const http = { host: '127.0.0.1', port: 7420 };
  const grpc = { host: '127.0.0.1', port: 50_051 };
  try {
    const config = configure(defined({ config: file }), shell);
    const { listen, journal, tls } = config;
    return {
      finding: { state: 'good', subject, message: `${file ?? 'proffer.yaml'} is valid.` },
      http: listen.http ?? http,
      ...(listen.grpc === undefined || listen.grpc.port === 0 ? {} : { grpc: listen.grpc }),
      ...(listen.http === undefined || listen.http.port === 0
        ? {}
        : { url: gatewayUrl(listen.http, tls !== undefined) }),
      start: file === undefined ? 'up' : `up --config ${shellWord(file)}`,
      journal,
      largestMessage: config.limits.messageSize,
      ...defined({ notify: config.notify }),
      defaultPolicy: config.negotiation.defaultPolicy,
    };
  } catch (error) {
    if (!(error instanceof CommandFailure)) throw error;
    const { code, message } = error.failure;
    const missing = code === 'usage';
    const finding: Finding = missing
      ? { state: 'good', subject, message: 'None here; dev mode needs none.' }
      : { state: 'bad', subject, message, remedy: 'Fix the lines named above.' };
    return { finding, http, grpc, start: 'up --dev', largestMessage: DEFAULT_LIMITS.messageSize };
  }
}

/** Whether a gateway could listen, for HTTP and for gRPC. */
export async function checkPorts(
  { http, grpc }: Pick<Configured, 'http' | 'grpc'>,
  options: Omit<PortOptions, 'option'>,
): Promise<readonly Finding[]> {
  return [
    await checkPort(http, { ...options, option: '--port' }),
    ...(grpc === undefined ? [] : [await checkPort(grpc, { ...options, option: '--grpc-port' })]),
  ];
}

interface PortOptions {
  /** Whether our gateway is running: then it is fine that the port is in use. */
  readonly isUp: boolean;
  /** The command that starts a gateway here. */
  readonly start: string;
  /** The option of the command for another port. */
  readonly option: string;
}

async function checkPort(address: Address, { isUp, start, option }: PortOptions): Promise<Finding> {
  const subject = `port ${address.port}`;
  const problem = await new Promise<NodeJS.ErrnoException | undefined>((resolve) => {
    const server = createServer();
    server.once('error', resolve);
    server.listen(address.port, address.host, () => server.close(() => resolve(undefined)));
  });
  if (problem === undefined) return { state: 'good', subject, message: `${formatAddress(address)} is free.` };
  if (problem.code === 'EADDRINUSE' && isUp) {
    return {
      state: 'good',
      subject,
      message: `${formatAddress(address)} is in use by a running gateway.`,
    };
  }
  return {
    state: 'bad',
    subject,
    message: `${formatAddress(address)} cannot be used: ${problem.message}.`,
    remedy: `Stop the program that uses it, or choose another port: ${start} ${option} N, or listen in the configuration.`,
  };
}

/**
 * Whether the journal's folder is writable, and its contents are intact.
 *
 * @param checkLog - what is wrong by its signed log, given how many records retention has removed
 */
export async function checkData(
  folder: string,
  name: string,
  checkLog?: (removed: number) => Promise<Finding | undefined>,
): Promise<Finding> {
  const subject = 'journal';
  const { path: existing, isFolder } = await nearestThere(folder);
  if (!isFolder) {
    return {
      state: 'bad',
      subject,
      message: `${existing} is not a folder.`,
      remedy: 'Choose another folder with --data.',
    };
  }
  if (existing !== folder) return await checkNewFolder(existing, folder);
  const refusal = await checkWritable(folder);
  if (refusal !== undefined) return { state: 'bad', subject, message: refusal.message };
  const verified = await verifyLocalJournal(folder);
  if (!verified.ok) {
    const { code, message } = verified.refusal;
    if (code !== 'journal_damaged') return { state: 'bad', subject, message };
    if (message.startsWith('There is no journal'))
      return { state: 'good', subject, message: `${folder} has no journal yet.` };
    return {
      state: 'bad',
      subject,
      message,
      remedy: `${name} repair --data ${shellWord(folder)} shows what can be recovered.`,
    };
  }
  const { records, faults, cutOff, removed = 0 } = verified.value;
  const unlikeLog = faults.length === 0 ? await checkLog?.(removed) : undefined;
  if (unlikeLog !== undefined) return unlikeLog;
  if (faults.length === 0 && cutOff !== undefined) {
    return {
      state: 'warn',
      subject,
      message: `${folder} is intact except for the last write, which was cut off: ${count(records, 'record')}.`,
      remedy: `${name} verify --data ${shellWord(folder)} explains what that means.`,
    };
  }
  if (faults.length === 0)
    return { state: 'good', subject, message: `${folder} is intact: ${count(records, 'record')}.` };
  return {
    state: 'bad',
    subject,
    message: `${folder} is damaged in ${count(faults.length, 'place')}.`,
    remedy: `${name} verify --data ${shellWord(folder)} shows where.`,
  };
}

/** @param above - the nearest folder that is there */
async function checkNewFolder(above: string, folder: string): Promise<Finding> {
  const subject = 'journal';
  try {
    await access(above, constants.W_OK | constants.X_OK);
  } catch (error) {
    const { message } = noFileAccess(above, error, 'write') ?? (error as Error);
    return { state: 'bad', subject, message };
  }
  return { state: 'good', subject, message: `${folder} will be created at the first start.` };
}

const LITTLE = 1024 ** 3;
const TOO_LITTLE = 100 * 1024 ** 2;

export async function checkDisk(folder: string): Promise<Finding> {
  const subject = 'disk space';
  const { bavail, bsize } = await statfs(await nearestFolder(folder));
  const free = bavail * bsize;
  const message = `${(free / 1024 ** 3).toFixed(1)} GiB free.`;
  if (free >= LITTLE) return { state: 'good', subject, message };
  const remedy =
    'Free some space, or move the journal with --data: a gateway that cannot write refuses everything.';
  return { state: free >= TOO_LITTLE ? 'warn' : 'bad', subject, message, remedy };
}

/** The path itself if it is a folder, else the nearest folder above it. */
async function nearestFolder(path: string): Promise<string> {
  const { path: found, isFolder } = await nearestThere(path);
  return isFolder ? found : dirname(found);
}

/** What exists at a path, or at the nearest existing path above it. */
async function nearestThere(path: string): Promise<{ readonly path: string; readonly isFolder: boolean }> {
  const found = await stat(path).catch(() => undefined);
  const above = dirname(path);
  if (found === undefined && above !== path) return await nearestThere(above);
  return { path, isFolder: found?.isDirectory() === true };
}
