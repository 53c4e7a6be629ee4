import { existsSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { CONSOLE_FOLDER } from '@proffer/console';
import type { Refusal } from '@proffer/core';
import type { Gateway } from '@proffer/gateway';
import { CommandFailure, EXIT } from '../command-failure.js';
import { probeGateway } from '../connection/probe-gateway.js';
import { isHeld } from '../doctor/gateway-checks.js';
import { logLines } from '../terminal/shell.js';
import { type MachineFolder, readGuardsConfig } from './machine-folder.js';
import { signInCompanion } from './sign-in-link.js';

/** The gateway that all guards of a user on this machine share. One of them runs it; which one does not matter. */
export interface OwnSharedGateway {
  readonly url: string;
  /** Whether it runs in this process. */
  readonly isHost: boolean;
  /** Takes over running it if nobody does any more; never rejects. */
  takeOver(): Promise<void>;
  close(): Promise<void>;
}

/** Next to the port of `proffer up`, so that they do not conflict. */
const DEFAULT_PORT = 7421;

/** How long to wait for a gateway that holds the journal and does not answer yet, in milliseconds. */
const TIMEOUT = 10_000;
const STEP = 100;
/** Timeout of one probe, in milliseconds: another program may have its port by now. */
const PROBING = 2_000;

/**
 * Finds the shared gateway or becomes it: whoever holds the journal's lock runs it. Fails with a
 * CommandFailure if neither is possible.
 *
 * @param port - to listen on; default: its last port, else 7421, else any free one
 */
export async function joinSharedGateway(
  folder: MachineFolder,
  { port }: { readonly port?: number } = {},
): Promise<OwnSharedGateway> {
  const wanted = port ?? folder.readPort() ?? DEFAULT_PORT;
  const until = Date.now() + TIMEOUT;
  const running = await find(folder);
  if (running !== undefined) return shared(folder, running, undefined);
  for (;;) {
    const hosted = await host(folder, wanted, port === undefined);
    if (!('code' in hosted)) return shared(folder, hosted.address.port, hosted);
    if (hosted.code === 'cannot_listen') throw portTaken(wanted);
    if (hosted.code !== 'journal_locked') throw failureOf(hosted, folder);
    const found = folder.readPort();
    if (found !== undefined && (await answers(found))) return shared(folder, found, undefined);
    if (Date.now() > until) throw failureOf(hosted, folder);
    await pause(STEP);
  }
}

/**
 * The port of the shared gateway, if another process runs it. A gateway with another journal does not count.
 */
async function find(folder: MachineFolder): Promise<number | undefined> {
  const port = folder.readPort();
  if (port === undefined || !(await answers(port))) return undefined;
  return (await isHeld(folder.journal)) ? port : undefined;
}

function shared(folder: MachineFolder, port: number, first: Gateway | undefined): OwnSharedGateway {
  let gateway = first;
  let taking: Promise<void> | undefined;
  let isClosed = false;
  const take = async (): Promise<void> => {
    const hosted = await host(folder, port, false);
    if ('code' in hosted) return;
    if (isClosed) await hosted.close();
    else gateway = hosted;
  };
  return {
    url: `http://127.0.0.1:${port}`,
    get isHost() {
      return gateway !== undefined;
    },
    takeOver() {
      if (gateway !== undefined || isClosed) return Promise.resolve();
      taking ??= take().finally(() => {
        taking = undefined;
      });
      return taking;
    },
    async close() {
      isClosed = true;
      await taking;
      await gateway?.close();
    },
  };
}

/** Runs the gateway; or returns why it cannot. */
async function host(folder: MachineFolder, port: number, anyPort: boolean): Promise<Gateway | Refusal> {
  // Loaded only by the guard that runs it: it takes a good part of a guard's startup time.
  const { formatProblems, startGateway } = await import('@proffer/gateway');
  const { pino } = await import('pino');
  const { config, problems } = await readGuardsConfig(folder);
  if (config === undefined) throw new Error(formatProblems(problems));
  const { notifyCompanionWith } = await import('@proffer/notify');
  const listen = { ...config.listen, http: { host: '127.0.0.1', port } };
  const { rulesCompanion } = await import('@proffer/steward/companion');
  const { devicesCompanion } = await import('../share/devices-companion.js');
  const { reachedByDevices } = await import('../share/devices.js');
  const started = await startGateway({
    config: { ...config, listen },
    log: pino({ level: 'warn' }, logLines()),
    companions: [
      signInCompanion(folder),
      devicesCompanion(folder),
      notifyCompanionWith(reachedByDevices(folder)),
      rulesCompanion,
    ],
    ...(existsSync(CONSOLE_FOLDER) ? { console: CONSOLE_FOLDER } : {}),
  });
  if (started.ok) {
    folder.writePort(started.value.address.port);
    return started.value;
  }
  const { refusal } = started;
  return refusal.code === 'cannot_listen' && anyPort ? await host(folder, 0, false) : refusal;
}

async function answers(port: number): Promise<boolean> {
  const probe = await probeGateway(`http://127.0.0.1:${port}`, PROBING);
  return probe.found === 'gateway' && probe.isReady;
}

function portTaken(port: number): CommandFailure {
  const message = `The guards' own gateway cannot listen on port ${port}: it is in use, or not allowed.`;
  const next = ['--gateway-port 0 uses any free port.'];
  return new CommandFailure({ exit: EXIT.refused, code: 'cannot_listen', message, next });
}

function failureOf({ code, message: why }: Refusal, { journal }: MachineFolder): CommandFailure {
  const isHeld = code === 'journal_locked';
  const message = isHeld
    ? `${journal} is in use by a process that does not answer.`
    : `The guards' own gateway cannot run: ${why}`;
  const next = [
    isHeld
      ? 'End that process, or use --data FOLDER for another journal.'
      : '--data FOLDER uses another folder.',
    '--url URL uses an existing gateway.',
  ];
  return new CommandFailure({ exit: EXIT.refused, code, message, next });
}
