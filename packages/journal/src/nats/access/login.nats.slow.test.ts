import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { nkeys } from '@nats-io/transport-node';
import { expect, it, onTestFinished } from 'vitest';
import { appended, collect, sample, startNatsServers, TEST_ACCESS } from '../../testing/index.js';
import { ENTRY_BYTES } from '../../tree-store.js';
import { copyFromNats } from '../copy/copy-from-nats.js';
import { openNatsJournal } from '../open-nats-journal.js';
import { opened } from '../testing/open.js';
import type { NatsLogin } from './connect.js';
import { inspectNats } from './inspect.js';

const { keys } = TEST_ACCESS;

type KeyPair = ReturnType<typeof nkeys.createUser>;

/** Writes a text into a new file, and returns its path. */
async function fileWith(text: string): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'proffer-login-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const file = join(folder, 'secret');
  await writeFile(file, text);
  return file;
}

const seedOf = (key: KeyPair): string => Buffer.from(key.getSeed()).toString();

/** A JWT in NATS's format: the signer makes claims about a subject. */
function signed(by: KeyPair, subject: KeyPair, nats: object): string {
  const encode = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url');
  const claims = {
    jti: 'test',
    iat: 1,
    iss: by.getPublicKey(),
    sub: subject.getPublicKey(),
    name: 'test',
    nats,
  };
  const text = `${encode({ typ: 'JWT', alg: 'ed25519-nkey' })}.${encode(claims)}`;
  return `${text}.${Buffer.from(by.sign(Buffer.from(text))).toString('base64url')}`;
}

async function works(urls: readonly string[], login: NatsLogin): Promise<void> {
  const journal = await opened({ servers: urls, replicas: 1, login, allowInsecure: false });
  appended(
    await journal.append('main/proposal/1', (await journal.head('main/proposal/1')).version, [sample('in')]),
  );
  await journal.close();
}

it('I-4: logs in with an nkey', async () => {
  const [key, stranger] = [nkeys.createUser(), nkeys.createUser()];
  await using servers = await startNatsServers({
    extra: `authorization { users: [ { nkey: ${key.getPublicKey()} } ] }`,
  });
  await works(servers.urls, { nkey: await fileWith(`${seedOf(key)}\n`) });
  const login = { nkey: await fileWith(seedOf(stranger)) };
  expect(await openNatsJournal({ keys, servers: servers.urls, replicas: 1, login })).toMatchObject({
    ok: false,
  });
});

it('I-4: logs in with a credentials file, as nsc writes it', async () => {
  const [operator, account, user] = [nkeys.createOperator(), nkeys.createAccount(), nkeys.createUser()];
  const system = nkeys.createAccount();
  const unlimited = { subs: -1, data: -1, payload: -1 };
  const everything = { mem_storage: -1, disk_storage: -1, streams: -1, consumer: -1, conn: -1, leaf: -1 };
  const counts = { imports: -1, exports: -1, wildcards: true };
  const limits = { ...unlimited, ...everything, ...counts };
  const accountJwt = signed(operator, account, { type: 'account', version: 2, limits });
  const userJwt = signed(account, user, { type: 'user', version: 2, ...unlimited });
  await using servers = await startNatsServers({
    extra: `operator: ${signed(operator, operator, { type: 'operator', version: 2 })}
resolver: MEMORY
system_account: ${system.getPublicKey()}
resolver_preload: {
  ${account.getPublicKey()}: ${accountJwt}
  ${system.getPublicKey()}: ${signed(operator, system, { type: 'account', version: 2, limits: { ...unlimited, ...counts, conn: -1, leaf: -1 } })}
}`,
  });
  const credentials = await fileWith(
    `-----BEGIN NATS USER JWT-----\n${userJwt}\n------END NATS USER JWT------\n\n-----BEGIN USER NKEY SEED-----\n${seedOf(user)}\n------END USER NKEY SEED------\n`,
  );
  await works(servers.urls, { credentials });
});

it('I-4: reports what is wrong with a login, at once, with advice', async () => {
  const pass = '{ user: right, password: secret }';
  const narrow = `{ user: narrow, password: secret, permissions: { publish: "$JS.API.INFO", subscribe: "_INBOX.>" } }`;
  await using servers = await startNatsServers({ extra: `authorization { users: [ ${pass}, ${narrow} ] }` });
  // Several, as in a cluster: each is tried once, and then no more.
  const urls = [...servers.urls, ...servers.urls.map((url) => url.replace('127.0.0.1', 'localhost'))];
  const refusalFor = async (login: NatsLogin | undefined): Promise<string> => {
    const answer = await openNatsJournal({ keys, servers: urls, replicas: 1, ...(login && { login }) });
    if (answer.ok) throw new Error('It was let in.');
    expect(answer.refusal.code).toBe('journal_unreachable');
    return answer.refusal.message;
  };
  await works(servers.urls, { user: 'right', password: 'secret' });
  expect(await refusalFor({ user: 'right', password: 'wrong' })).toMatch(
    /refuse the login.*journal\.nats\.user/,
  );
  expect(await refusalFor(undefined)).toMatch(/require a login.*journal\.nats\.user, nkey or credentials/);
  expect(await refusalFor({ user: 'narrow', password: 'secret' })).toMatch(
    /may not publish to \$JS\.API\.STREAM\.INFO\.proffer.*more-than-one-machine\.md/,
  );
  const file = await fileWith('no key');
  expect(await refusalFor({ nkey: file })).toContain(`Check the nkey in ${file}`);
  expect(await refusalFor({ credentials: file })).toContain(`Check the credentials in ${file}`);
});

it.each([
  ['that let anyone in', ''],
  [
    'that know users, and take everyone for one of them',
    'authorization { users: [ { user: a, password: b } ] }\nno_auth_user: a',
  ],
])('I-4, I-9: servers %s are refused, unless that is allowed', async (_, extra) => {
  await using servers = await startNatsServers({ extra });
  const options = { keys, servers: servers.urls, stream: 'proffer', replicas: 1 };
  const insecure = { ok: false, refusal: { code: 'insecure_nats', details: { cause: 'no_login' } } };
  expect(await openNatsJournal(options)).toMatchObject(insecure);
  expect(await inspectNats(options)).toMatchObject(insecure);
  const login = { user: 'a', password: 'b' };
  expect(await openNatsJournal({ ...options, login })).toMatchObject(insecure);
  const journal = await opened({ ...options, allowInsecure: true });
  await journal.close();
});

it('I-4, I-9: an address with tls:// is not used without TLS', async () => {
  await using servers = await startNatsServers({
    extra: 'authorization { users: [ { user: a, password: b } ] }',
  });
  const urls = servers.urls.map((url) => url.replace('nats://', 'tls://'));
  const login = { user: 'a', password: 'b' };
  const refused = await openNatsJournal({ keys, servers: urls, replicas: 1, login });
  expect(refused).toMatchObject({ ok: false, refusal: { code: 'journal_unreachable' } });
  if (!refused.ok) expect(refused.refusal.message).toContain('tls');
});

it.each([
  ['the guide', 'docs/guides/more-than-one-machine.md'],
  ['deploy/nats.conf', 'deploy/nats.conf'],
])('I-4: the permissions in %s suffice for everything a gateway does', async (_, path) => {
  const text = await readFile(new URL(`../../../../../${path}`, import.meta.url), 'utf8');
  const [, block = ''] = /^(accounts \{.*?^\})/ms.exec(text) ?? [];
  expect(block).toContain('user: gateway');
  await using servers = await startNatsServers({ extra: block.replace('$GATEWAY_PASSWORD', 'secret') });
  const options = {
    keys,
    servers: servers.urls,
    replicas: 1,
    login: { user: 'gateway', password: 'secret' },
  };
  const [journal, other] = [await opened(options), await opened(options)];
  const told: unknown[] = [];
  other.peers.listen((message) => told.push(message));
  // Repeated, since it may be sent before the server knows of the subscription.
  await expect.poll(() => journal.peers.tell({ type: 'hello' }) && told[0]).toEqual({ type: 'hello' });
  appended(await journal.append('main/proposal/1', 0, [sample('old', 1_000)]));
  appended(await journal.append('main/proposal/2', 0, [sample('new', 9_000)]));
  expect(await collect(other.feed('main', 0), 2)).toHaveLength(2);
  expect(await journal.compact({ before: 5_000, keep: () => false })).toMatchObject({ streams: 1 });
  expect(await other.verify()).toMatchObject({ records: 1, faults: [] });
  const entries = new Uint8Array(ENTRY_BYTES);
  await journal.tree.write('entries', 0, entries);
  expect(await other.tree.count()).toBe(1);
  await journal.close();
  await other.close();
  expect(await inspectNats({ ...options, stream: 'proffer' })).toMatchObject({ ok: true });
  const folder = join(await fileWith(''), '..', 'copy');
  expect(await copyFromNats(options, folder)).toMatchObject({ ok: true, value: { records: 1 } });
});
