import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openJournal } from '@proffer/journal';
import { appended, collect, sample, startNatsServers, TEST_ACCESS, texts } from '@proffer/journal/testing';
import { expect, it, onTestFinished } from 'vitest';
import { makeCertificate } from '../testing/certificates.js';

/** The exact NATS permissions of a gateway, as in the guide. */
const PERMISSIONS = `{
  publish: { allow: [
    "proffer.>", "proffer-peers",
    "$JS.API.INFO",
    "$JS.API.STREAM.INFO.proffer", "$JS.API.STREAM.CREATE.proffer", "$JS.API.STREAM.PURGE.proffer",
    "$JS.API.STREAM.MSG.GET.proffer", "$JS.API.STREAM.MSG.DELETE.proffer", "$JS.API.DIRECT.GET.proffer",
    "$JS.API.CONSUMER.CREATE.proffer.>", "$JS.API.CONSUMER.INFO.proffer.>",
    "$JS.API.CONSUMER.MSG.NEXT.proffer.>", "$JS.API.CONSUMER.DELETE.proffer.>"
  ] }
  subscribe: { allow: ["_INBOX.>", "proffer-peers"] }
}`;

it("I-4: works over TLS with a login and only the guide's permissions, and not without them", async () => {
  const folder = await mkdtemp(join(tmpdir(), 'proffer-secure-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const { cert, key } = makeCertificate();
  const files = { cert: join(folder, 'cert.pem'), key: join(folder, 'key.pem') };
  await writeFile(files.cert, cert);
  await writeFile(files.key, key);
  await using servers = await startNatsServers({
    extra: `tls { cert_file: ${JSON.stringify(files.cert)}, key_file: ${JSON.stringify(files.key)} }
authorization { users: [ { user: gateway, password: secret, permissions: ${PERMISSIONS} } ] }`,
  });
  const place = {
    backend: 'nats',
    keys: TEST_ACCESS.keys,
    servers: servers.urls,
    stream: 'proffer',
    replicas: 1,
    tls: { ca: files.cert },
  } as const;
  const opened = await openJournal({ ...place, login: { user: 'gateway', password: 'secret' } });
  if (!opened.ok) throw new Error(opened.refusal.message);
  const { journal } = opened.value;
  const heard = new Promise((resolve) => journal.peers?.listen(resolve));
  journal.peers?.tell({ type: 'hello' });
  expect(await heard).toEqual({ type: 'hello' });
  appended(await journal.append('main/proposal/1', 0, [sample('one', 1000), sample('two', 1000)]));
  appended(await journal.append('main/proposal/2', 0, [sample('three', 9000)]));
  expect(texts(await collect(journal.feed('main', 0), 3))).toEqual(['one', 'two', 'three']);
  expect(texts(await collect(journal.read('main/proposal/1')))).toEqual(['one', 'two']);
  expect(await journal.compact({ before: 5000, keep: () => false })).toEqual({ streams: 1, records: 2 });
  expect(await journal.verify()).toMatchObject({ records: 1, faults: [] });
  await journal.close();

  const refusals = [
    await openJournal({ ...place, login: { user: 'gateway', password: 'wrong' } }),
    await openJournal(place),
    await openJournal({ ...place, tls: {}, login: { user: 'gateway', password: 'secret' } }),
  ];
  for (const refused of refusals)
    expect(refused).toMatchObject({ ok: false, refusal: { code: 'journal_unreachable' } });
  expect(JSON.stringify(refusals)).not.toContain('secret');
});
