import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, writeFileSync } from 'node:fs';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { createServer as createHttpServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { text } from 'node:stream/consumers';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { freePorts } from '@proffer/journal/testing';

const PROFFER = fileURLToPath(new URL('../../../cli/bin/proffer.js', import.meta.url));

/** What an ntfy server was asked to show. */
export interface Rung {
  readonly title: string;
  readonly click: string;
}

/** A computer whose coding agents ask through hooks, with an inbox that is shared with phones, and an ntfy server. */
export async function hookMachine() {
  const home = await mkdtemp(join(tmpdir(), 'proffer-phone-'));
  const own = join(home, 'proffer');
  const data = join(own, 'guard');
  const env = { ...process.env, HOME: home, PROFFER_HOME: own, TMPDIR: home };
  // No agent may run anything in Proffer's own folder.
  const project = join(home, 'project');
  mkdirSync(project);
  const rung: Rung[] = [];
  const ntfy = createHttpServer(async (request, response) => {
    rung.push(JSON.parse(await text(request)) as Rung);
    response.end('{}');
  });
  ntfy.listen(0, '127.0.0.1');
  await once(ntfy, 'listening');
  // A phone finds the computer again only at the same port.
  const [port = 0] = await freePorts(1);
  const share = `127.0.0.1:${port}`;
  mkdirSync(join(data, 'hook'), { recursive: true, mode: 0o700 });
  writeFileSync(join(data, 'port'), '0\n');
  writeFileSync(join(data, 'hook', 'settings.json'), JSON.stringify({ share }), { mode: 0o600 });
  const server = `http://127.0.0.1:${(ntfy.address() as AddressInfo).port}`;
  writeFileSync(
    join(data, 'notify.yaml'),
    `notify:
  channels: { phone: { type: ntfy, server: "${server}" } }
  participants: { reviewer: [{ channel: phone, to: t, digest: 0s, updates: false }] }
`,
  );
  /** Commands that have not ended, such as questions that nobody answered. */
  const running = new Set<ChildProcess>();
  const run = (...args: readonly string[]) => {
    const child = spawn(process.execPath, [PROFFER, ...args], {
      env,
      cwd: project,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    running.add(child);
    child.once('close', () => running.delete(child));
    return child;
  };
  const output = async (...args: readonly string[]): Promise<string> => {
    const child = run(...args);
    child.stderr.resume();
    return await text(child.stdout);
  };

  /** Starts the process that answers hooks; resolves once it serves phones. */
  async function serve() {
    const child = run('hook', 'serve', '--data', data);
    child.stdout.resume();
    const ended = once(child, 'close');
    for await (const line of createInterface({ input: child.stderr }))
      if (line.includes('then Pair a phone')) break;
    child.stderr.resume();
    return { child, ended };
  }
  let resident = await serve();
  /** Ends everything. Questions first: a hook that waits starts the process that answers it again. */
  const end = async (): Promise<void> => {
    for (const child of running) {
      if (child === resident.child) continue;
      const closed = once(child, 'close');
      child.kill();
      await closed;
    }
    resident.child.kill('SIGTERM');
    await resident.ended;
    await endServing(join(data, 'hook', 'lock'));
  };
  /** What the inbox on the computer asks for. */
  const devices = async (posted: object): Promise<Shown> => {
    const port = (await readFile(join(data, 'port'), 'utf8')).trim();
    const token = (await readFile(join(data, 'reviewer.token'), 'utf8')).trim();
    const answer = await fetch(`http://127.0.0.1:${port}/hooks/devices`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}` },
      body: JSON.stringify(posted),
    });
    return (await answer.json()) as Shown;
  };
  return {
    rung,
    devices,
    origin: `https://${share}`,
    /** The certificate that phones see, in PEM. */
    certificate: async (): Promise<string> => {
      const { cert } = JSON.parse(await readFile(join(data, 'share.json'), 'utf8')) as { cert: string };
      return cert;
    },
    /** Claude Code asks whether it may run a command. Resolves with what it is told. */
    ask: (command: string) =>
      output('hook', 'test', 'claude-code', '--command', command, '--wait', '2m', '--json', '--data', data),
    revoke: (device: string) => output('devices', '--revoke', device),
    end,
    async start() {
      resident = await serve();
    },
    async [Symbol.asyncDispose]() {
      await end();
      ntfy.closeAllConnections();
      ntfy.close();
      await rm(home, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}

/** Ends the process that a hook has started meanwhile, if any. */
async function endServing(lock: string): Promise<void> {
  try {
    const { pid } = JSON.parse(await readFile(lock, 'utf8')) as { readonly pid: number };
    process.kill(pid, 'SIGTERM');
    // Throws once there is no such process.
    for (;;) {
      process.kill(pid, 0);
      await delay(50);
    }
  } catch {
    // There is none.
  }
}

interface Shown {
  readonly link?: string;
  readonly asking?: readonly { readonly id: string }[];
  readonly devices?: readonly { readonly id: string }[];
}
