import { existsSync, readFileSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import {
  connect,
  type IncomingProposal,
  OutcomeUnknownError,
  type Participant,
  ProposalNotPendingError,
} from '@proffer/client';
import { isJsonObject } from '@proffer/core/json';
import { createPinFile } from '@proffer/mcp';
import { type Running, start, temporaryFolder } from './cli.js';
import { runHere } from './in-process.js';
import type { McpClient } from './mcp-client.js';

/** The reference file server. */
export const SERVER = fileURLToPath(
  new URL('../../../../node_modules/@modelcontextprotocol/server-filesystem/dist/index.js', import.meta.url),
);

/** One user on one machine: a folder that the guards share, and one with files. */
export async function machine() {
  const folder = await temporaryFolder();
  // Where a guard with this PROFFER_HOME looks.
  const data = join(folder.path, 'guard');
  const files = join(folder.path, 'files');
  await mkdir(files);
  // Somebody has trusted what the server says about its tools, so nobody is asked about that.
  createPinFile(join(data, 'pins', 'filesystem.json')).save(
    new Map([['*', { definition: { name: '*', title: SERVER } }]]),
  );
  /** The arguments of a guard without its server. */
  const bare = (...options: readonly string[]): readonly string[] => {
    const port = existsSync(join(data, 'port')) ? [] : ['--gateway-port', '0'];
    return ['guard', '--data', data, ...port, ...options];
  };
  /** In front of the files. */
  const args = (...options: readonly string[]): readonly string[] => [
    ...bare(...options),
    '--',
    process.execPath,
    SERVER,
    files,
  ];
  const guard = (...options: readonly string[]): Running => start(args(...options));
  const token = (): string => readFileSync(join(data, 'reviewer.token'), 'utf8').trim();
  const url = (): string => `http://127.0.0.1:${readFileSync(join(data, 'port'), 'utf8').trim()}`;
  /** Runs a command as the reviewer, in this process. */
  const run = (...args: readonly string[]) => runHere(args, { PROFFER_URL: url(), PROFFER_TOKEN: token() });
  /** Joins once there is a gateway, which a client need not wait for. */
  const reviewer = async (): Promise<Participant> => {
    while (!existsSync(join(data, 'port'))) await pause(20);
    return await connect({ url: url(), space: 'main', token: token(), retry: { delay: 50, maxDelay: 200 } });
  };
  /** The number of connections to the guards' gateway. */
  const connections = async (): Promise<number> => {
    const metrics = await (await fetch(`${url()}/metrics`)).text();
    return Number(/^proffer_connections\{transport="ws"\} (\d+)$/m.exec(metrics)?.[1]);
  };
  const write = (client: McpClient, name: string): Promise<unknown> =>
    client.request('tools/call', {
      name: 'write_file',
      arguments: { path: join(files, name), content: name },
    });
  const stop = async ({ child, ended }: Running): Promise<void> => {
    child.stdin?.end();
    await ended;
  };
  return {
    home: folder.path,
    data,
    files,
    bare,
    args,
    guard,
    run,
    reviewer,
    connections,
    write,
    stop,
    [Symbol.asyncDispose]: () => folder[Symbol.asyncDispose](),
  };
}

/** The pending proposal for a file. */
export function next(reviewer: Participant, file: string): Promise<IncomingProposal> {
  return new Promise((resolve) => {
    const stop = reviewer.onProposal(
      (proposal) => {
        stop();
        resolve(proposal);
      },
      { filter: ({ params }) => JSON.stringify(params).includes(file) },
    );
  });
}

/** Resolves when the gateway reports that a participant is gone and not expected back. */
export function left(reviewer: Participant, name: string): Promise<void> {
  return new Promise((resolve) => {
    const stop = reviewer.on('message', ({ kind, payload: { event, participant } }) => {
      const isIt = isJsonObject(participant) && participant['id'] === name;
      if (kind !== 'system.presence' || event !== 'leave' || !isIt) return;
      stop();
      resolve();
    });
  });
}

/** Approves, and retries while no executor is reachable, until it ran or ended otherwise. */
export async function approveUntilDone({ fulfil }: IncomingProposal): Promise<void> {
  for (;;) {
    try {
      await fulfil();
      return;
    } catch (error) {
      if (error instanceof OutcomeUnknownError || error instanceof ProposalNotPendingError) return;
      await pause(50);
    }
  }
}
