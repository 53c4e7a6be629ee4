import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { checkpointText, formatNote, SIGNATURE_TYPES } from '@proffer/evidence';
import { cosignText, makeSignerKey, signText } from '@proffer/evidence/node';
import { expect, it, onTestFinished } from 'vitest';
import { checkGateway } from './gateway-checks.js';

it.each([502, 503, 504])('a proxy that answers %i is not taken for a wrong address', async (status) => {
  const server = createServer((_request, response) => void response.writeHead(status).end('<html>'));
  await once(server.listen(0, '127.0.0.1'), 'listening');
  onTestFinished(() => void server.close());
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const endpoint = { url, space: 'main', token: 'x', assumed: false, given: {} };
  const { finding, isUp } = await checkGateway(endpoint, { name: 'proffer' });
  expect(isUp).toBe(false);
  expect(finding).toMatchObject({
    state: 'bad',
    message: `A proxy answers at ${url}, but no gateway behind it is ready (HTTP status ${status}).`,
    remedy: expect.stringMatching(/^Try again in a moment/),
  });
});

it.each([
  ['power', 'good', 'A power cut loses nothing that was acknowledged'],
  ['process', 'warn', 'A power cut may lose what was acknowledged in the 10 ms before it'],
] as const)('I-1: says what survives with durability %s', async (durability, state, said) => {
  const server = createServer(
    (_request, response) => void response.end(JSON.stringify({ ready: false, durability })),
  );
  await once(server.listen(0, '127.0.0.1'), 'listening');
  onTestFinished(() => void server.close());
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const endpoint = { url, space: 'main', token: 'x', assumed: false, given: {} };
  const { notes } = await checkGateway(endpoint, { name: 'proffer' });
  expect(notes).toEqual([
    expect.objectContaining({ state, subject: 'durability', message: expect.stringContaining(said) }),
  ]);
});

it.each([
  ['nobody', false, [], 'The last checkpoint of the log covers 3 records. No witness signed it.'],
  [
    'no configured witness',
    false,
    ['witness.example'],
    ', and witness.example has not signed it. No witness is known to have signed.',
  ],
  [
    'a witness before',
    false,
    ['witness.example'],
    'A witness last signed 2 records, at ',
    { size: 2, at: 1 },
  ],
  ['a witness', true, ['witness.example'], ', and witness.example signed it as a witness at '],
] as const)('says that %s witnessed the log', async (_, isWitnessed, witnesses, said, witnessed?: object) => {
  const log = makeSignerKey('log.example');
  const text = checkpointText('log.example', { size: 3, root: new Uint8Array(32) });
  const witness = makeSignerKey('witness.example', SIGNATURE_TYPES.witness);
  const cosigned = isWitnessed ? [cosignText(witness, text, Date.now())] : [];
  const note = formatNote({ text, signatures: [signText(log, text), ...cosigned] });
  const server = createServer(
    ({ url }, response) =>
      void response.end(
        url === '/checkpoint' ? note : JSON.stringify({ ready: false, witnesses, witnessed }),
      ),
  );
  await once(server.listen(0, '127.0.0.1'), 'listening');
  onTestFinished(() => void server.close());
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const endpoint = { url, space: 'main', token: 'x', assumed: false, given: {} };
  const { notes } = await checkGateway(endpoint, { name: 'proffer' });
  expect(notes).toEqual([
    expect.objectContaining({ subject: 'log', message: expect.stringContaining(said) }),
  ]);
});
