import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { connect } from '@proffer/client';
import { canonicalJson, objectOf, textOf } from '@proffer/core/json';
import { formatVerifierKey } from '@proffer/evidence';
import { formatSignerKey, makeSignerKey } from '@proffer/evidence/node';
import { startOnLoopback } from '@proffer/gateway';
import { type NatsJournal, openNatsJournal } from '@proffer/journal/nats';
import { appended, type NatsServers, startNatsServers, TEST_ACCESS } from '@proffer/journal/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { temporaryFolder } from '../testing/cli.js';
import { type Forged, readFrom, writeTo } from '../testing/forger.js';
import { runHere } from '../testing/in-process.js';

const log = makeSignerKey('proffer.example/log');

let servers: NatsServers;
let home: Awaited<ReturnType<typeof temporaryFolder>>;
let honest: readonly Forged[];
/** What each of the gateways signed. */
const signed: string[] = [];

/** With the keys of the gateways, as whoever stole them has them. */
async function open(stream: string): Promise<NatsJournal> {
  const opened = await openNatsJournal({ ...TEST_ACCESS, servers: servers.urls, stream, replicas: 1 });
  if (!opened.ok) throw new Error(opened.refusal.message);
  return opened.value;
}

/** Two gateways work on one journal, and both sign its log. */
beforeAll(async () => {
  servers = await startNatsServers();
  home = await temporaryFolder();
  const keyFile = join(home.path, 'log.key');
  await writeFile(keyFile, `${formatSignerKey(log)}\n`, { mode: 0o600 });
  const yaml = `dev: true\nevidence: { key: ${JSON.stringify(keyFile)} }`;
  const start = async () => await startOnLoopback(yaml, { journal: await open('honest') });
  await using here = await start();
  await using there = await start();
  const urls = [here, there].map(({ port }) => `http://127.0.0.1:${port}`);
  await using tools = await connect({ url: urls[0] ?? '', space: 'main', token: 'tools' });
  await tools.serve([{ name: 'pay', handler: () => 'paid' }]);
  for (const [at, url] of urls.entries()) {
    const run = async (who: string, ...line: readonly string[]) => {
      const { code, stderr } = await runHere([...line, '--as', who], { PROFFER_URL: url });
      if (code !== 0) throw new Error(`${line.join(' ')}: ${stderr}`);
    };
    const asked = ['propose', 'pay', '--arg', `amount=${at + 7}`, '--id', `p-${at}`, '--no-wait'];
    await run('agent', ...asked);
    await run('reviewer', 'approve', `p-${at}`, '--yes');
  }
  for (const url of urls) {
    const request = { method: 'POST', headers: { authorization: 'Bearer reviewer' } };
    const answer = objectOf(await (await fetch(`${url}/checkpoint`, request)).json());
    signed.push(textOf(answer['checkpoint']));
  }
  await writeFile(join(home.path, 'kept'), signed[0] ?? '');
  const journal = await open('honest');
  honest = await readFrom(journal);
  await journal.close();
});
afterAll(async () => {
  await home[Symbol.asyncDispose]();
  await servers[Symbol.asyncDispose]();
});

const verify = (stream: string, checkpoint = 'kept') =>
  runHere(
    [
      'verify',
      '--data',
      `${servers.urls[0]}/${stream}`,
      '--checkpoint',
      join(home.path, checkpoint),
      '--log-key',
      formatVerifierKey(log.verifier),
    ],
    { PROFFER_JOURNAL_NATS_KEYS: TEST_ACCESS.keys.text },
  );

/** The same record with other texts, wherever they are. */
const rewritten = ({ stream, content }: Forged, before: string, after: string): Forged => ({
  stream,
  content: JSON.parse(canonicalJson(content).replaceAll(before, after)) as Forged['content'],
});

describe('verify, on NATS', () => {
  it('I-9: every gateway derives the same tree', async () => {
    const [one, other] = signed.map((note) => note.split('\n').slice(0, 3));
    expect(one).toEqual(other);
    const { code, stdout } = await verify('honest');
    expect(stdout).toContain('as recorded');
    expect(code).toBe(0);
  });

  it.each<[string, () => readonly Forged[]]>([
    ['an amount', () => honest.map((record) => rewritten(record, '"amount":7', '"amount":9'))],
    ['an approver', () => honest.map((record) => rewritten(record, '"reviewer"', '"mallory"'))],
    ['removed records', () => honest.slice(0, -2)],
  ])(
    'I-9: finds %s although everything has the codes of the gateways and is signed again',
    async (what, forge) => {
      const stream = what.replaceAll(' ', '-');
      const journal = await open(stream);
      await writeFile(join(home.path, 'own'), await writeTo(journal, forge(), log));
      await journal.close();
      const { code, stdout } = await verify(stream);
      expect(stdout).toMatch(/does not begin with|and the journal has only/);
      expect(code).toBe(1);
    },
  );

  it('I-11: finds a record that somebody published with the keys of the gateways', async () => {
    const journal = await open('honest');
    const ran = honest.find(({ content }) => content.type === 'fulfilled') as Forged;
    const { content } = rewritten(ran, textOf(ran.content.envelope['id']), 'again');
    const { version } = await journal.head(ran.stream);
    appended(await journal.append(ran.stream, version, [content]));
    await journal.close();
    const { code, stdout } = await verify('honest');
    expect(stdout).toContain('proposal_not_pending');
    expect(code).toBe(1);
  });
});
