import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { temporaryFolder } from '../folder.js';
import gateway from './gateway-main.program';
import type { NemesisHistory } from './history.js';
import type { Order } from './nemesis-main.js';
import nemesis from './nemesis-main.program';

export interface NemesisOptions extends Omit<Order, 'folder' | 'program' | 'output' | 'isIsolated'> {
  /** A folder for the history and the latest output of each process. Default: they are not kept. */
  readonly keep?: string | undefined;
}

/** Separate networks, mounts and processes: all of them end with it, whatever happens. */
const SANDBOX = [
  'unshare',
  '--map-root-user',
  '--net',
  '--mount',
  '--pid',
  '--fork',
  '--kill-child',
  '--mount-proc',
];

/** `ip` keeps its namespaces under /run. */
const IN_SANDBOX = ['sh', '-c', 'mount -t tmpfs none /run && exec "$0" "$@"'];

/** The requirements for a network of namespaces; without them only processes fail. */
const PROBE = [
  'mount -t tmpfs none /run',
  'ip link add name hub type bridge',
  'ip netns add probe',
  'tc qdisc add dev lo root tbf rate 1mbit burst 8kb latency 1s',
  'tc qdisc replace dev lo root handle 1: htb',
  "tc filter add dev lo parent 1: protocol all bpf bytecode '1,6 0 0 0'",
].join(' && ');

const WITHOUT_NAMESPACES =
  'Not tested: partitions, slow and bad links, and full disks, because this machine gives no network namespaces. The nemesis kills and stops processes and sets clocks wrong.\n';

/** How much longer than its faults a run may take, in seconds: it watches itself, so this is not reached. */
const LONGEST = 1_000;

/** How much output of a failed run is shown, in characters. */
const SHOWN = 60_000;

/** Whether this machine lets this user create namespaces. */
export function canIsolate(): boolean {
  const [command = '', ...args] = SANDBOX;
  return spawnSync(command, [...args, 'sh', '-c', PROBE], { stdio: 'ignore' }).status === 0;
}

/**
 * Runs gateways on three NATS servers under load while things fail, each in its own network namespace if the
 * machine allows that. Returns what everyone was told. Rejects with the run's output if it does not come to
 * rest.
 *
 * @param tell - receives the output as it arrives
 */
export async function runNemesis(
  { keep, ...options }: NemesisOptions,
  tell: (text: string) => void = () => {},
): Promise<NemesisHistory> {
  await using folder = await temporaryFolder();
  const place = keep === undefined ? folder.path : join(keep, String(options.seed));
  await mkdir(place, { recursive: true });
  const output = join(place, 'history.json');
  const isIsolated = canIsolate();
  const order: Order = { ...options, isIsolated, folder: folder.path, program: gateway, output };
  // Also if nothing else is printed: a passing run then shows less.
  if (!isIsolated) process.stderr.write(WITHOUT_NAMESPACES);
  const plain = [process.execPath, nemesis, JSON.stringify(order)];
  const [command = '', ...args] = isIsolated ? [...SANDBOX, ...IN_SANDBOX, ...plain] : plain;
  const child = spawn(command, args, { stdio: ['ignore', 'ignore', 'pipe'] });
  let said = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    said += text;
    tell(text);
  });
  const late = setTimeout(() => child.kill('SIGKILL'), (options.seconds + LONGEST) * 1_000);
  const [code, signal] = (await once(child, 'close')) as [number | null, string | null];
  clearTimeout(late);
  if (code !== 0)
    throw new Error(`The run ended with ${signal ?? code} and without a result:\n${said.slice(-SHOWN)}`);
  return JSON.parse(await readFile(output, 'utf8')) as NemesisHistory;
}
