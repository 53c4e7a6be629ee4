import { connect } from '@proffer/client';
import { decideByRules, defaultRules, parseRules } from '@proffer/steward';
import { createClientStdio, hasLeft } from '../channel/client-stdio.js';
import { createParamHeaders } from '../channel/param-headers.js';
import { createSharedServer } from '../channel/shared-server.js';
import { createUpstreamHttp } from '../channel/upstream-http.js';
import { createUpstreamStdio } from '../channel/upstream-stdio.js';
import { Guard } from '../guard/guard.js';
import type { GuardSettings } from '../guard/guard-settings.js';
import { createCallJournal, createProposalArchive, reportLostCalls } from '../guard/recovery/index.js';
import { identityOfCommand, identityOfUrl } from '../guard/server/index.js';
import { createPinFile } from '../guard/trust/index.js';
import { startClientHttp } from '../http/client-http.js';
import { type Fault, faultsAt } from './faults.js';
import { serveSpace } from './serve-space.js';

/** Options of a guard in a separate process. */
export interface GuardMainOptions {
  readonly url: string;
  readonly name: string;
  /** A file; call facts go into a folder next to it that ends in `.calls`. */
  readonly pins: string;
  /** The server: a command, or an address. */
  readonly server: readonly string[] | string;
  readonly rules?: string;
  /** Serves HTTP on a free port instead of stdio, and prints `ready ADDRESS` on stderr. */
  readonly http?: boolean;
  /** Also runs the gateway at the address, with its journal in this folder. */
  readonly journal?: string;
  /** In milliseconds; default: a guard's defaults. */
  readonly times?: Partial<Pick<GuardSettings, 'holdFor' | 'ttl' | 'window'>>;
  /** The point at which the process ends, as if the power had failed. */
  readonly dieAt?: Fault;
}

const options: GuardMainOptions = JSON.parse(process.argv[2] ?? '{}');
const { url, name, pins, server, rules, http, journal, times, dieAt } = options;
if (journal !== undefined) await serveSpace({ journal, port: Number(new URL(url).port) });
const archive = createProposalArchive({ url, space: 'main', token: name });
const connected = await connect({ url, token: name, space: 'main', retry: { delay: 50, maxDelay: 200 } });
await reportLostCalls(connected, archive);
connected.on('error', () => {});
const { participant, front, back } = faultsAt(dieAt, connected);
const parsed = rules === undefined ? undefined : parseRules(rules);
const ruleSet = parsed?.ok === true ? parsed.value : defaultRules();
const log = (line: string): void => void process.stderr.write(`${line}\n`);
const guard = await Guard.start({
  participant,
  archive,
  pins: createPinFile(pins),
  journal: createCallJournal(`${pins}.calls`, { hasLeft: () => hasLeft(process.stdout) }),
  server: name,
  identity:
    typeof server === 'string' ? identityOfUrl(new URL(server)) : identityOfCommand(server, process.cwd()),
  hints: () => true,
  decide: (call) => decideByRules(ruleSet, call),
  log,
  ...times,
});
const params = createParamHeaders();
const openUpstream = () => {
  if (typeof server === 'string') return createUpstreamHttp({ url: new URL(server), params });
  const [command = '', ...args] = server;
  return createUpstreamStdio({ command, args });
};
if (http === true) {
  const shared = typeof server === 'string' ? undefined : createSharedServer(openUpstream);
  const openExchange = () => shared?.connect() ?? openUpstream();
  const served = await startClientHttp({ guard, port: 0, openSession: openUpstream, openExchange, log });
  process.stderr.write(`ready ${served.url}\n`);
  process.stdin.on('end', () => process.exit(0)).resume();
} else {
  const connection = await guard.connect(front(createClientStdio()), back(openUpstream()));
  await connection.closed;
  await guard.close();
  // The gateway, if there is one, would keep it alive.
  if (journal !== undefined) process.exit();
}
