import { connect } from 'node:net';
import { AuthorizationError, PermissionViolationError, RequestError } from '@nats-io/transport-node';
import { type Refusal, refuse } from '@proffer/core';
import type { NatsAddress } from './connect.js';

/** How long a server may take to accept a connection, in milliseconds. */
const PATIENCE = 1_000;

/** How many of these servers accept connections. */
async function countReachable(servers: readonly string[]): Promise<number> {
  const reached = await Promise.all(servers.map(isReachable));
  return reached.filter(Boolean).length;
}

/** @param server - `nats://HOST:PORT`, `tls://HOST:PORT` or `HOST:PORT`; the port may be left out */
async function isReachable(server: string): Promise<boolean> {
  const address = server.includes('://') ? server : `nats://${server}`;
  if (!URL.canParse(address)) return false;
  const { hostname, port } = new URL(address);
  return await new Promise((resolve) => {
    const host = hostname.replace(/^\[|\]$/g, '');
    const socket = connect({ host, port: port === '' ? 4222 : Number(port), timeout: PATIENCE });
    const conclude = (isOpen: boolean) => () => {
      socket.destroy();
      resolve(isOpen);
    };
    socket.once('connect', conclude(true)).once('error', conclude(false)).once('timeout', conclude(false));
  });
}

/** Why a journal on NATS cannot be opened, copied or inspected, and what to do about it. */
export async function noAccess(
  { servers, login, stream = 'proffer' }: NatsAddress & { readonly stream?: string },
  error: unknown,
): Promise<Refusal> {
  const where = servers.join(', ');
  const { name } = error instanceof Error ? error : new Error(String(error));
  const what = `NATS at ${where} cannot be used: ${explain(error, { login, stream }) ?? (await explainByServers(error, servers))}`;
  return refuse('journal_unreachable', what, { servers: [...servers], cause: name });
}

/** One or two sentences; `undefined` if the error alone does not tell. */
function explain(
  error: unknown,
  { login, stream }: { readonly login: NatsAddress['login']; readonly stream: string },
): string | undefined {
  const { message } = error instanceof Error ? error : new Error(String(error));
  const code = codeOf(error);
  const denied = deniedIn(error);
  if (denied !== undefined)
    return `the login may not ${denied.operation} to ${denied.subject}. Give it the permissions that docs/guides/more-than-one-machine.md lists, for the stream ${stream}.`;
  if (error instanceof AuthorizationError || /authorization/i.test(message)) {
    return login === undefined
      ? 'the servers require a login. Set journal.nats.user, nkey or credentials.'
      : `the servers refuse the login (${message}). Check ${loginKey(login)}.`;
  }
  if (login !== undefined && /nkeys|credentials/.test(message))
    return `the login cannot be read (${message}). Check ${loginKey(login)}.`;
  if (code === 'ERR_TLS_CERT_ALTNAME_INVALID')
    return `the certificate is for another name (${message}). Use a name in journal.nats.servers that is in the certificate.`;
  if (/^(?:UNABLE_TO_|SELF_SIGNED|DEPTH_ZERO|CERT_)/.test(code))
    return `the certificate is not trusted (${message}). Set journal.nats.tls.ca to the file with the authority that signed it.`;
  if (code === 'ENOENT' || code === 'EACCES')
    return `a file that journal.nats names cannot be read (${message}).`;
  if (error instanceof RequestError && error.isNoResponders())
    return 'JetStream is off. Add jetstream { store_dir: … } to the configuration of the servers.';
  return undefined;
}

/** JetStream works while most of its servers do: says how many of them can be reached. */
async function explainByServers(error: unknown, servers: readonly string[]): Promise<string> {
  const { message } = error instanceof Error ? error : new Error(String(error));
  const all = servers.length;
  const reachable = await countReachable(servers);
  const majority = Math.floor(all / 2) + 1;
  if (reachable === 0) return `${message}. Check journal.nats.servers, and that the servers are running.`;
  if (reachable < majority) {
    const only = `only ${reachable} of ${all} servers can be reached, and JetStream needs ${majority}`;
    return `${only} (${message}). Start the others, or check the network to them.`;
  }
  const some = all === 1 ? 'the server can be reached' : `${reachable} of ${all} servers can be reached`;
  return `${some}, but JetStream does not answer (${message}). Most servers of the cluster may be down, or they are electing a leader: see their logs, or try again in a moment.`;
}

function loginKey(login: NonNullable<NatsAddress['login']>): string {
  if ('user' in login) return 'journal.nats.user and its password (PROFFER_JOURNAL_NATS_PASSWORD)';
  return 'nkey' in login ? `the nkey in ${login.nkey}` : `the credentials in ${login.credentials}`;
}

/** The client's errors have the underlying error as their cause. */
function* chainOf(error: unknown): Generator<Error> {
  for (let one = error; one instanceof Error; one = one.cause) yield one;
}

function codeOf(error: unknown): string {
  for (const one of chainOf(error)) if ('code' in one && typeof one.code === 'string') return one.code;
  return '';
}

function deniedIn(error: unknown): Pick<PermissionViolationError, 'operation' | 'subject'> | undefined {
  for (const one of chainOf(error)) if (one instanceof PermissionViolationError) return one;
  return undefined;
}
