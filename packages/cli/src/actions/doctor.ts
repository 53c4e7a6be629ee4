import { resolve } from 'node:path';
import { count } from '@proffer/core/words';
import { folderOf, sharedBackendOf } from '@proffer/journal';
import { EXIT, type ExitCode } from '../command-failure.js';
import { DEFAULT_URL, type EndpointOptions } from '../command-options.js';
import { credentialFor } from '../connection/credentials.js';
import { type Endpoint, resolveEndpoint, withOneUrl } from '../connection/endpoint.js';
import { guardsFolder } from '../connection/guards-folder.js';
import { checkChannels } from '../doctor/channel-checks.js';
import {
  checkClock,
  checkGateway,
  checkGateways,
  checkNegotiation,
  isAt,
  isHeld,
  strangeGateway,
} from '../doctor/gateway-checks.js';
import { checkHooks } from '../doctor/hook-checks.js';
import { checkLog } from '../doctor/log-check.js';
import {
  type Configured,
  checkConfig,
  checkData,
  checkDisk,
  checkNode,
  checkPorts,
  type Finding,
} from '../doctor/machine-checks.js';
import { openMachineFolder } from '../guard/machine-folder.js';
import { describeGuards, guardsHere } from '../guard/running-guards.js';
import { journalFolder } from '../journal/folder.js';
import { inOwnWords, printJson, type Shell } from '../terminal/shell.js';
import { tableWidth } from '../terminal/table.js';
import { pad, visible, wrapWords } from '../terminal/visible.js';
import { devFolder } from '../up/configure.js';

/** Command-line options of `doctor`. */
export interface DoctorOptions extends EndpointOptions {
  readonly config?: string;
  readonly data?: string;
  readonly json?: boolean;
  /** Walks the way from a notification to a decision on a phone. */
  readonly phone?: boolean;
}

/** Checks everything that a gateway needs, and prints the findings. */
export async function diagnose(options: DoctorOptions, shell: Shell): Promise<ExitCode> {
  const findings = await examine(options, shell);
  const bad = findings.filter(({ state }) => state === 'bad').length;
  if (options.json === true) printJson({ healthy: bad === 0, findings }, shell);
  else print(findings, bad, shell);
  return bad === 0 ? EXIT.done : EXIT.refused;
}

async function examine(asked: DoctorOptions, shell: Shell): Promise<readonly Finding[]> {
  const options = withOneUrl(asked);
  if (options.phone === true) return await examinePhone(options, shell);
  if (options.guard === true) return await examineGuards(options, shell);
  const configured = checkConfig(options.config, shell);
  // Everything else depends on it, so it comes first.
  if (configured.finding.state === 'bad') return [checkNode(process.versions.node), configured.finding];
  const endpoint = endpointOf(options, configured, shell);
  const { journal, largestMessage } = configured;
  const isConfigured = options.data === undefined && journal !== undefined;
  const folder = isConfigured ? folderOf(journal) : resolve(options.data ?? devFolder(shell.env));
  // A gateway elsewhere is not started here and needs no port on this machine.
  const isOurs = !isSaid(options, shell) || isAt(endpoint, configured.http);
  const gateway = await checkGateways(endpoint, {
    name: shell.name,
    ...(isOurs ? { start: configured.start } : {}),
    isNamed: options.url !== undefined,
  });
  const runsHere = gateway.isUp && isAt(endpoint, configured.http);
  const start = `${shell.name} ${configured.start}`;
  const isMeant = options.data !== undefined || configured.url !== undefined;
  const isStrange = runsHere && folder !== undefined && !(await isHeld(folder));
  const isFree = !gateway.isUp && gateway.isListening !== true;
  const ports = !(isOurs && gateway.isLocal && (runsHere || isFree))
    ? []
    : isStrange
      ? [strangeGateway(configured.http, { folder, isMeant, start })]
      : await checkPorts(configured, { isUp: runsHere, start });
  return [
    checkNode(process.versions.node),
    configured.finding,
    ...ports,
    ...(folder === undefined
      ? []
      : [
          await checkData(folder, shell.name, (removed) => checkLog(folder, { ...options, removed }, shell)),
          await checkDisk(folder),
        ]),
    ...(isConfigured ? ((await sharedBackendOf(journal)?.check(journal, { largestMessage })) ?? []) : []),
    ...gateway.findings,
    ...(await checkNegotiation(gateway.isUp ? gateway.url : undefined, configured.defaultPolicy)),
    checkClock(gateway.serverTime, shell.now()),
    ...(await checkChannels(configured.notify, shell.name)),
    ...checkGuards(shell),
    ...checkHooks(shell, process.cwd()),
  ];
}

/** The gateway that the guards share has no configuration, and whatever port is free. */
async function examineGuards(options: DoctorOptions, shell: Shell): Promise<readonly Finding[]> {
  const folder = await journalFolder(options, shell);
  const endpoint = resolveEndpoint(options, shell.env, 'reviewer');
  const gateway = await checkGateway(endpoint, { name: shell.name, start: 'guard -- COMMAND…' });
  return [
    checkNode(process.versions.node),
    await checkData(folder, shell.name),
    await checkDisk(folder),
    gateway.finding,
    checkClock(gateway.serverTime, shell.now()),
    ...checkGuards(shell),
    ...checkHooks(shell, process.cwd()),
  ];
}

/** The guards that run now: they may ask in another gateway than the one that is checked. */
function checkGuards({ env }: Shell): readonly Finding[] {
  const message = describeGuards(guardsHere(guardsFolder(env)));
  return message === '' ? [] : [{ state: 'good', subject: 'guards', message }];
}

/** Phones review in the inbox that hooks and guards share. */
async function examinePhone(options: DoctorOptions, shell: Shell): Promise<readonly Finding[]> {
  const endpoint = resolveEndpoint({ ...options, guard: true }, shell.env, 'reviewer');
  const gateway = await checkGateway(endpoint, { name: shell.name, start: 'hook test AGENT' });
  const { checkPhone } = await import('../doctor/phone-checks.js');
  const folder = openMachineFolder(guardsFolder(shell.env));
  const about = { program: shell.name, now: shell.now(), gateway: endpoint };
  return [gateway.finding, ...(await checkPhone(folder, about))];
}

/** From the options or the environment, else where the configuration listens. */
function endpointOf(options: DoctorOptions, { url }: Configured, shell: Shell): Endpoint {
  const { env } = shell;
  if (isSaid(options, shell) || url === undefined) return resolveEndpoint(options, env, 'reviewer');
  const isKnown =
    options.token !== undefined ||
    options.as !== undefined ||
    (env['PROFFER_TOKEN'] ?? '') !== '' ||
    credentialFor(url, env) !== undefined;
  // The user's own gateway may listen on a public address; check it anyway.
  const assumed = { ...resolveEndpoint({ ...options, url: DEFAULT_URL }, env, 'reviewer'), url };
  return isKnown ? resolveEndpoint({ ...options, url }, env, 'reviewer') : assumed;
}

function isSaid({ url }: DoctorOptions, { env }: Shell): boolean {
  return url !== undefined || (env['PROFFER_URL'] ?? '') !== '';
}

/** Findings are indented past the mark and the subject. */
const INDENT = 17;

function print(findings: readonly Finding[], bad: number, shell: Shell): void {
  const { style, print } = shell;
  const room = tableWidth(shell) - INDENT;
  const below = `\n${' '.repeat(INDENT)}`;
  const wrapped = (text: string, width = room): readonly string[] =>
    text.split('\n').flatMap((line) => wrapWords(visible(line), width));
  const marks = { good: style.green('✓'), warn: style.yellow('!'), bad: style.red('✗') };
  for (const { state, subject, message, remedy } of findings) {
    print(
      `${marks[state]} ${style.bold(pad(subject, 14))} ${wrapped(inOwnWords(message, shell.name)).join(below)}`,
    );
    if (remedy !== undefined)
      print(`${' '.repeat(INDENT)}${style.cyan('→')} ${wrapped(remedy, room - 2).join(`${below}  `)}`);
  }
  print('');
  const doubtful = findings.filter(({ state }) => state === 'warn').length;
  if (bad > 0) print(style.red(`${count(bad, 'problem')} to fix.`));
  if (doubtful > 0) print(style.yellow(`${count(doubtful, 'warning')}, see above.`));
  if (bad + doubtful === 0) print('No problems found.');
}
