import { once } from 'node:events';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { count } from '@proffer/core/words';
import { formatVerifierKey, SIGNATURE_TYPES } from '@proffer/evidence';
import {
  createWitness,
  formatSignerKey,
  makeSignerKey,
  parseSignerKeys,
  type SignerKey,
  type WitnessAnswer,
} from '@proffer/evidence/node';
import { lockFile } from '@proffer/journal';
import { usageFailure } from '../command-failure.js';
import { readVerifierKeys } from '../journal/signed-log.js';
import type { Shell } from '../terminal/shell.js';
import { visible } from '../terminal/visible.js';

/** Command-line options of `witness`. */
export interface WitnessFlags {
  readonly data: string;
  readonly listen: string;
  readonly name?: string;
}

/** More than this is no request: a checkpoint with at most 63 hashes and 64 signatures. */
const MAX_REQUEST = 64 * 1024;

/** Serves until it is told to stop. */
export async function witness(keys: readonly string[], options: WitnessFlags, shell: Shell): Promise<void> {
  const logs = (await Promise.all(keys.map(readVerifierKeys))).flat();
  const [, host, port] = /^(.+):(\d{1,5})$/.exec(options.listen) ?? [];
  if (host === undefined)
    throw usageFailure('--listen needs a host and a port.', ['--listen 127.0.0.1:7440']);
  await mkdir(options.data, { recursive: true, mode: 0o700 });
  const lock = await lockFile(join(options.data, 'lock'));
  // Two that share a folder could sign two histories.
  if (!('release' in lock))
    throw usageFailure(`Another witness uses ${options.data}. Name another folder for a second one.`, [
      '--data FOLDER',
    ]);
  const key = await ownKey(join(options.data, 'witness.key'), options.name);
  const stop = shell.interruption();
  const answer = createWitness({ folder: options.data, key, logs, now: shell.now });
  const server = createServer((request, response) => {
    void respond(request, response, answer, shell);
  });
  server.requestTimeout = 10_000;
  server.listen(Number(port), host.replace(/^\[|\]$/g, ''));
  try {
    await once(server, 'listening');
  } catch (error) {
    throw usageFailure(`${options.listen} cannot be used: ${(error as Error).message}.`);
  }
  const address = server.address();
  const at = typeof address === 'object' && address !== null ? `${host}:${address.port}` : options.listen;
  shell.print(
    `${shell.style.green('✓')} This witness takes checkpoints at http://${at} from ${count(new Set(logs.map(({ name }) => name)).size, 'log')}.`,
    `  key  ${formatVerifierKey(key.verifier)}`,
    '',
    'Ctrl-C stops it.',
  );
  if (!stop.aborted) await once(stop, 'abort');
  server.closeAllConnections();
  server.close();
  await lock.release();
}

async function respond(
  request: IncomingMessage,
  response: ServerResponse,
  answer: (request: string) => Promise<WitnessAnswer>,
  shell: Shell,
): Promise<void> {
  const reply = (status: number, body: string): void => {
    const type = status === 409 ? 'text/x.tlog.size' : 'text/plain; charset=utf-8';
    response.writeHead(status, { 'content-type': type, 'x-content-type-options': 'nosniff' }).end(body);
  };
  if (request.method !== 'POST' || request.url !== '/add-checkpoint')
    return reply(404, 'A witness has one address: POST /add-checkpoint.\n');
  try {
    const chunks: Buffer[] = [];
    let bytes = 0;
    for await (const chunk of request as AsyncIterable<Buffer>) {
      bytes += chunk.length;
      if (bytes > MAX_REQUEST) return reply(413, 'This is too long for a checkpoint.\n');
      chunks.push(chunk);
    }
    const { status, body, checkpoint, isFork } = await answer(Buffer.concat(chunks).toString('utf8'));
    reply(status, body);
    if (checkpoint !== undefined) {
      const what = `${visible(checkpoint.origin)}, ${count(checkpoint.size, 'record')}`;
      if (status === 200) shell.tell(`signed ${what}`);
      else if (isFork === true)
        shell.tell(
          `${shell.style.red('REFUSED')} ${what}: this does not continue what the log showed before.`,
        );
      else if (status !== 409) shell.tell(`${shell.style.red('refused')} ${what}: ${visible(body.trim())}`);
    }
  } catch (error) {
    shell.tell(`${shell.style.red('✗')} ${visible((error as Error).message)}`);
    if (!response.headersSent) reply(500, 'The witness cannot read or write its folder.\n');
  }
}

/** The key of this witness, made when it runs for the first time. */
async function ownKey(file: string, name: string | undefined): Promise<SignerKey> {
  let text: string;
  try {
    text = await readFile(file, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT')
      throw usageFailure(`${file} cannot be read: ${(error as Error).message}.`);
    const made = makeSignerKey(name ?? hostname().replaceAll(/[^\w.-]/g, '-'), SIGNATURE_TYPES.witness);
    await writeFile(file, `${formatSignerKey(made)}\n`, { flag: 'wx', mode: 0o600, flush: true });
    return made;
  }
  const [key] = parseSignerKeys(text) ?? [];
  if (key?.verifier.type !== SIGNATURE_TYPES.witness)
    throw usageFailure(`${file} is not the key of a witness.`);
  if (name !== undefined && name !== key.verifier.name)
    throw usageFailure(`This witness is called ${key.verifier.name}. For another one, name another folder.`, [
      '--data FOLDER',
    ]);
  return key;
}
