import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { listAddresses, parseBody, readText, request } from '@proffer/client/http';
import { defined, isJsonArray, objectOf } from '@proffer/core/json';
import type { DefaultPolicy } from '@proffer/core/negotiation';
import { count } from '@proffer/core/words';
import { parseCheckpoint, witnessTimes } from '@proffer/evidence';
import { type Address, formatAddress, isLoopback } from '@proffer/gateway/address';
import { openLocalJournal } from '@proffer/journal';
import { CommandFailure, EXIT } from '../command-failure.js';
import { createConnection } from '../connection/connection.js';
import { type Endpoint, gatewayUrl } from '../connection/endpoint.js';
import { NEXT_BEHIND_PROXY, onlyProxy } from '../connection/no-answer.js';
import { type Probe, probeGateway } from '../connection/probe-gateway.js';
import { formatMoment, textOf } from '../terminal/visible.js';
import type { Finding } from './machine-checks.js';

/** What is visible of the gateway from outside. */
export interface GatewayReport {
  readonly finding: Finding;
  readonly isUp: boolean;
  readonly isReady: boolean;
  /** Something listens there, which may be a gateway; only TLS keeps us from knowing. */
  readonly isListening?: boolean;
  /** Whether the gateway is, or would be, on this machine. */
  readonly isLocal: boolean;
  /** The gateway's clock, in milliseconds since 1970. */
  readonly serverTime?: number;
  /** What it says that its operator should know. */
  readonly notes?: readonly Finding[];
}

/**
 * The reports of several gateways that share a journal: the state of the first that is up, and all findings.
 */
export interface GatewayReports extends Omit<GatewayReport, 'finding' | 'notes'> {
  readonly url: string;
  readonly findings: readonly Finding[];
}

/**
 * {@link checkGateway} for each address of an endpoint.
 *
 * @param isNamed - whether the user named these addresses: then it is a problem if none of them is ready
 */
export async function checkGateways(
  endpoint: Endpoint,
  { isNamed, ...options }: Parameters<typeof checkGateway>[1] & { readonly isNamed: boolean },
): Promise<GatewayReports> {
  const urls = listAddresses(endpoint.url);
  const reports = await Promise.all(urls.map((url) => checkGateway({ ...endpoint, url }, options)));
  const isMissing = isNamed && !reports.some(({ isReady }) => isReady);
  const findings = reports.flatMap(({ finding, notes = [] }) => [
    isMissing ? { ...finding, state: 'bad' as const } : finding,
    ...notes,
  ]);
  const index = Math.max(
    0,
    reports.findIndex(({ isUp }) => isUp),
  );
  const { finding: _, ...report } = reports[index] ?? {
    finding: undefined,
    isUp: false,
    isReady: false,
    isLocal: false,
  };
  return { ...report, url: urls[index] ?? endpoint.url, findings };
}

/** How long an answer may take, in milliseconds. */
const TIMEOUT = 3_000;

/**
 * Whether the gateway answers, is ready, and accepts this user.
 *
 * @param start - the command-line words that start the expected gateway; absent if it is another one
 */
export async function checkGateway(
  endpoint: Endpoint,
  { name, start }: { readonly name: string; readonly start?: string },
): Promise<GatewayReport> {
  const subject = 'gateway';
  const { url, space } = endpoint;
  const isLocal = isLoopback(new URL(url).hostname.replace(/^\[|\]$/g, ''));
  const probe = await probeGateway(url, TIMEOUT, endpoint.ca);
  if (probe.found === 'tls_trouble') {
    const [remedy = 'Check --url.'] = probe.next;
    const finding: Finding = { state: 'bad', subject, message: probe.reason, remedy };
    return { isUp: false, isReady: false, isListening: true, isLocal, finding };
  }
  if (probe.found === 'proxy') {
    const message = onlyProxy(url, probe.status);
    const finding: Finding = { state: 'bad', subject, message, remedy: NEXT_BEHIND_PROXY };
    return { isUp: false, isReady: false, isLocal, finding };
  }
  if (probe.found !== 'gateway') {
    const remedy =
      probe.found === 'nobody' && isLocal && start !== undefined
        ? `${name} ${start} starts a gateway.`
        : 'Check --url (http or https?), and that the gateway is running.';
    // On this machine it may simply not be started yet.
    const state = probe.found === 'nobody' && isLocal ? 'warn' : 'bad';
    return {
      isUp: false,
      isReady: false,
      isLocal,
      finding: { state, subject, message: absence(url, probe), remedy },
    };
  }
  const { isReady, serverTime } = probe;
  const notes = [
    ...describeDurability(probe),
    ...(await checkSignedLog(endpoint)),
    ...(await checkWarnings(endpoint, probe.warnings)),
  ];
  const known = { isUp: true, isReady, isLocal, notes, ...defined({ serverTime }) };
  if (!isReady) {
    const { reason } = probe;
    const message = reason === undefined ? `${url} is not ready yet.` : `${url} is not ready: ${reason}`;
    const remedy =
      reason === undefined
        ? 'The gateway is still replaying its journal; try again in a moment.'
        : 'The gateway becomes ready on its own once this is over. See its log.';
    return { ...known, finding: { state: 'warn', subject, message, remedy } };
  }
  try {
    const connection = createConnection(endpoint, name);
    const { participant, spaces } = await connection.whoAmI();
    const entered = spaces.find((one) => one.name === space);
    if (entered === undefined) {
      const where = spaces.map((one) => one.name).join(', ');
      const message = `${url} is ready; you are ${participant}, who may not enter ${space}.`;
      const remedy = where === '' ? 'Ask the operator for a space.' : `Use --space with one of: ${where}.`;
      return { ...known, finding: { state: 'warn', subject, message, remedy } };
    }
    const { proposals, more } = await connection.pending();
    const rights = count(entered.capabilities.length, 'capability', 'capabilities');
    const message = `${url} is ready; you are ${participant}, with ${rights} in ${space}; ${proposals.length + more} pending.`;
    return { ...known, finding: { state: 'good', subject, message } };
  } catch (error) {
    if (!(error instanceof CommandFailure)) throw error;
    const { code, message, exit, next = [] } = error.failure;
    if (endpoint.assumed && code === 'unauthenticated') {
      const said = `${url} is ready; pass a token (--token or PROFFER_TOKEN) to check more.`;
      return { ...known, finding: { state: 'good', subject, message: said } };
    }
    const remedy = next[0];
    const state = exit === EXIT.unreachable ? 'bad' : 'warn';
    return { ...known, finding: { state, subject, message, ...defined({ remedy }) } };
  }
}

function describeDurability({
  durability,
}: {
  readonly durability?: 'power' | 'process';
}): readonly Finding[] {
  if (durability === undefined) return [];
  const subject = 'durability';
  if (durability === 'power') {
    const message = 'A power cut loses nothing that was acknowledged (journal.durability: power).';
    return [{ state: 'good', subject, message }];
  }
  const message =
    'A power cut may lose what was acknowledged in the 10 ms before it (journal.durability: process). A killed gateway loses nothing.';
  const remedy = 'Set journal.durability: power, unless a call may run twice.';
  return [{ state: 'warn', subject, message, remedy }];
}

function absence(
  url: string,
  probe: Exclude<Probe, { readonly found: 'gateway' | 'proxy' | 'tls_trouble' }>,
): string {
  switch (probe.found) {
    case 'nobody':
      return `No gateway answers at ${url} (${probe.reason}).`;
    case 'silence':
      return `No gateway answers at ${url}: no response within ${TIMEOUT / 1000} s. Something else may be listening there.`;
    case 'stranger':
      return `The server at ${url} is not a Proffer gateway (${probe.reason}).`;
  }
}

/** Whether an endpoint matches a gateway that listens at this address. */
export function isAt({ url }: Endpoint, address: Address): boolean {
  return [true, false].some((secure) => gatewayUrl(address, secure) === url);
}

const MAX_CLOCK_SKEW = 5000;

/** Whether this machine's clock is plausible, and agrees with the gateway's. */
export function checkClock(serverTime: number | undefined, now: number): Finding {
  const subject = 'clock';
  const shown = new Date(now).toISOString();
  if (now < Date.UTC(2025, 0, 1)) {
    return {
      state: 'bad',
      subject,
      message: `The clock says ${shown}.`,
      remedy: 'Set the clock: times in the journal come from it.',
    };
  }
  if (serverTime === undefined) return { state: 'good', subject, message: `The clock says ${shown}.` };
  // The gateway reports whole seconds.
  const off = Math.abs(now - serverTime);
  if (off <= MAX_CLOCK_SKEW) return { state: 'good', subject, message: 'In sync with the gateway.' };
  const message = `${Math.round(off / 1000)} s off the gateway’s clock.`;
  return {
    state: 'warn',
    subject,
    message,
    remedy: 'Synchronise both clocks: TTLs use the gateway’s, JWTs use both.',
  };
}

/** How long the figures may take, in milliseconds. */
const WARNINGS_TIMEOUT = 3_000;

/**
 * What a gateway warns its operator of: gateways on its journal that are configured in another way.
 *
 * @param warnings - as it says to anyone; who they are and where they differ is only for operators
 */
async function checkWarnings(
  endpoint: Pick<Endpoint, 'url' | 'token' | 'ca'>,
  warnings: readonly string[],
): Promise<readonly Finding[]> {
  if (warnings.length === 0) return [];
  const subject = 'gateway';
  const remedy = 'Give all gateways the same configuration, then restart or reload them one after another.';
  const differences = await readDifferences(endpoint).catch(() => []);
  const named = differences.map((message) => ({ state: 'warn' as const, subject, message, remedy }));
  if (named.length > 0) return named;
  return warnings.map((warning) => ({
    state: 'warn',
    subject,
    message: `${endpoint.url}: ${warning}`,
    remedy,
  }));
}

async function readDifferences({
  url,
  token,
  ca,
}: Pick<Endpoint, 'url' | 'token' | 'ca'>): Promise<readonly string[]> {
  const headers = { authorization: `Bearer ${token}` };
  const response = await request(`${url}/figures`, {
    headers,
    ca,
    signal: AbortSignal.timeout(WARNINGS_TIMEOUT),
  });
  const { differences } = objectOf(objectOf(parseBody(await readText(response)))['journal']);
  return (isJsonArray(differences) ? differences : []).map((one) => {
    const { gateway, keys } = objectOf(one);
    const differing = isJsonArray(keys) ? keys.map(textOf).join(', ') : '';
    return `${url} and the gateway ${textOf(gateway)} share a journal, but differ in ${differing}.`;
  });
}

/** What the gateway's log has signed, and who witnessed it; nothing if it has no log, or this user may not see it. */
async function checkSignedLog({ url, token, ca }: Endpoint): Promise<readonly Finding[]> {
  const subject = 'log';
  const get = async (path: string): Promise<string> => {
    const headers = { authorization: `Bearer ${token}` };
    return await readText(
      await request(`${url}${path}`, { headers, ca, signal: AbortSignal.timeout(TIMEOUT) }),
    );
  };
  let text: string;
  let asked: string;
  try {
    [text, asked] = await Promise.all([get('/checkpoint'), get('/checkpoint/keys')]);
  } catch {
    return [];
  }
  const checkpoint = parseCheckpoint(text);
  if (checkpoint === undefined) return [];
  const signed = `The last checkpoint of the log covers ${count(checkpoint.size, 'record')}`;
  const [witnessed] = witnessTimes(checkpoint.note);
  const { witnesses, witnessed: before } = objectOf(parseBody(asked));
  const { size, at: when } = objectOf(before);
  const [missing] = isJsonArray(witnesses) ? witnesses.map(textOf) : [];
  if (witnessed === undefined && missing !== undefined) {
    const remedy =
      'The log of the gateway says why. If the witness knows another history, find out who changed the journal.';
    const last =
      typeof size === 'number' && typeof when === 'number'
        ? `A witness last signed ${count(size, 'record')}, at ${formatMoment(when, Date.now())}.`
        : 'No witness is known to have signed.';
    const message = `${signed}, and ${missing} has not signed it. ${last}`;
    return [{ state: 'warn', subject, message, remedy }];
  }
  if (witnessed === undefined)
    return [{ state: 'good', subject, message: `${signed}. No witness signed it.` }];
  const { name, at } = witnessed;
  return [
    {
      state: 'good',
      subject,
      message: `${signed}, and ${name} signed it as a witness at ${formatMoment(at, Date.now())}.`,
    },
  ];
}

/** How long an answer may take, in milliseconds. */
const POLICY_TIMEOUT = 3_000;

const WHOSE: Readonly<Record<DefaultPolicy, string>> = {
  guide: 'the guide’s rules',
  'rfc-0008': 'the rules of RFC-MACP-0008',
};

/**
 * Which default rules apply to a session without a policy: according to a running gateway, else the
 * configuration. `undefined` without either.
 *
 * @param url - the gateway, if it is up
 */
export async function checkNegotiation(
  url: string | undefined,
  configured: DefaultPolicy | undefined,
): Promise<readonly Finding[]> {
  const found = (url === undefined ? undefined : await servedPolicy(url)) ?? configured;
  if (found === undefined) return [];
  const message = `A session that names no policy uses ${WHOSE[found]} (negotiation.default_policy: ${found}).`;
  return [{ state: 'good', subject: 'negotiation', message }];
}

async function servedPolicy(url: string): Promise<DefaultPolicy | undefined> {
  try {
    const answer = await fetch(`${url}/.well-known/macp.json`, {
      signal: AbortSignal.timeout(POLICY_TIMEOUT),
    });
    const { metadata } = (await answer.json()) as { readonly metadata?: Readonly<Record<string, unknown>> };
    const named = metadata?.['default_policy'];
    return named === 'guide' || named === 'rfc-0008' ? named : undefined;
  } catch {
    return undefined;
  }
}

/** Whether a process has the journal in a folder open. Does not create a journal. */
export async function isHeld(folder: string): Promise<boolean> {
  const isThere = await stat(join(folder, 'format.json')).then(
    () => true,
    () => false,
  );
  if (!isThere) return false;
  const opened = await openLocalJournal(folder, { reading: true });
  if (opened.ok) await opened.value.close();
  return !opened.ok && opened.refusal.code === 'journal_locked';
}

/**
 * A gateway answers on this port but does not use the expected journal: it was started elsewhere, or with another
 * configuration, and keeps this one from starting.
 *
 * @param isMeant - whether a configuration or an option names the journal
 */
export function strangeGateway(
  address: Address,
  { folder, isMeant, start }: { readonly folder: string; readonly isMeant: boolean; readonly start: string },
): Finding {
  return {
    state: isMeant ? 'bad' : 'warn',
    subject: `port ${address.port}`,
    message: `The gateway at ${formatAddress(address)} does not use ${folder}: it was started in another folder, or with another configuration.`,
    remedy: `Stop that gateway, or give this one another port: ${start} --port N, or listen in the configuration. --data FOLDER names the folder of its journal.`,
  };
}
