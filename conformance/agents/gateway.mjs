// A gateway in a separate process, so that it can be killed and restarted.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { connect } from '@proffer/client';
import { PROFFER } from './proffer.mjs';

/** @typedef {Awaited<ReturnType<typeof createGateway>>} Gateway */

/** Starts one in dev mode, where tokens equal names. */
export async function createGateway() {
  const folder = await mkdtemp(join(tmpdir(), 'proffer-real-agents-gateway-'));
  const port = await freePort();
  const args = [PROFFER, 'up', '--dev', '--data', folder];
  /** @type {import('node:child_process').ChildProcess | undefined} */
  let child;
  const gateway = {
    url: `http://127.0.0.1:${port}`,
    async start() {
      child = spawn(process.execPath, [...args, '--port', String(port), '--grpc-port', '0'], {
        stdio: 'ignore',
      });
      const { url } = gateway;
      await (await connect({ url, space: 'main', token: 'watcher', timeout: 30_000 })).close();
    },
    /** @param {NodeJS.Signals} [signal] */
    async stop(signal = 'SIGTERM') {
      if (child === undefined || child.exitCode !== null || child.signalCode !== null) return;
      const closed = once(child, 'close');
      child.kill(signal);
      await closed;
    },
    reviewer: () => connect({ url: gateway.url, space: 'main', token: 'reviewer' }),
    async remove() {
      await gateway.stop();
      await rm(folder, { recursive: true, force: true });
    },
  };
  await gateway.start();
  return gateway;
}

/** A free port. */
export async function freePort() {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = /** @type {import('node:net').AddressInfo} */ (server.address());
  server.close();
  return port;
}
