import { join } from 'node:path';
import { connect } from '@proffer/client';
import { textOf } from '@proffer/core/json';
import { startOnLoopback } from '@proffer/gateway';
import { openNatsJournal } from '@proffer/journal/nats';
import { startNatsServers, TEST_ACCESS } from '@proffer/journal/testing';
import { expect, it } from 'vitest';
import { temporaryFolder } from '../testing/cli.js';
import { runHere } from '../testing/in-process.js';

const env = { PROFFER_JOURNAL_NATS_KEYS: TEST_ACCESS.keys.text };

it('I-1, I-6: takes a backup while gateways write, restores it into a new stream, and clients resume there', async () => {
  await using servers = await startNatsServers();
  await using folder = await temporaryFolder();
  const start = async (stream: string) => {
    const opened = await openNatsJournal({ ...TEST_ACCESS, servers: servers.urls, stream, replicas: 1 });
    if (!opened.ok) throw new Error(opened.refusal.message);
    return await startOnLoopback('dev: true', { journal: opened.value });
  };
  const lines: { readonly seq: number; readonly text: string }[] = [];
  const copy = join(folder.path, 'backup');
  {
    await using first = await start('before');
    await using second = await start('before');
    await using reader = await connect({ url: second.url, token: 'reader', space: 'main' });
    reader.on('message', ({ kind, seq, payload }) => {
      if (kind === 'chat.message') lines.push({ seq: seq ?? 0, text: textOf(payload['text']) });
    });
    const over = new AbortController();
    const talk = async (url: string, token: string): Promise<void> => {
      await using talker = await connect({ url, token, space: 'main' });
      for (let number = 0; !over.signal.aborted; number++) await talker.chat(`${token} ${number}`);
    };
    const talking = Promise.all([talk(first.url, 'one'), talk(second.url, 'two')]);
    await expect.poll(() => lines.length).toBeGreaterThan(100);
    const taken = lines.length;
    const copied = await runHere(['copy', `${servers.urls[0]}/before`, copy, '--json'], env);
    expect(copied).toMatchObject({ code: 0 });
    expect((JSON.parse(copied.stdout) as { readonly seq: number }).seq).toBeGreaterThanOrEqual(
      lines[taken - 1]?.seq ?? 0,
    );
    over.abort();
    await talking;
  }

  // The servers are lost; the new ones are empty.
  const restored = await runHere(
    ['copy', copy, `${servers.urls[0]}/after`, '--replicas', '1', '--json'],
    env,
  );
  expect(restored).toMatchObject({ code: 0 });
  const { seq: end } = JSON.parse(restored.stdout) as { readonly seq: number };
  await using gateway = await start('after');
  const [middle] = lines.slice(50);
  const heard: typeof lines = [];
  await using reader = await connect({
    url: gateway.url,
    token: 'reader',
    space: 'main',
    after: middle?.seq ?? 0,
  });
  reader.on('message', ({ kind, seq, payload }) => {
    if (kind === 'chat.message') heard.push({ seq: seq ?? 0, text: textOf(payload['text']) });
  });
  await using talker = await connect({ url: gateway.url, token: 'one', space: 'main' });
  await talker.chat('again');
  await expect.poll(() => heard.at(-1)?.text).toBe('again');
  const missed = lines.filter(({ seq }) => seq > (middle?.seq ?? 0) && seq <= end);
  expect(heard.slice(0, -1)).toEqual(missed);
  expect(heard.at(-1)?.seq).toBeGreaterThan(end);
});

it('I-1: backs up a folder while a gateway uses it, and another gateway runs on the copy', async () => {
  await using folder = await temporaryFolder();
  const data = join(folder.path, 'data');
  const copy = join(folder.path, 'backup');
  await using gateway = await startOnLoopback('dev: true', { folder: data });
  const propose = (id: string) => ['propose', 'echo', '--arg', 'text=a', '--id', id, '--no-wait'];
  const at = (port: number) => ({ PROFFER_URL: `http://127.0.0.1:${port}` });
  await runHere(propose('first'), at(gateway.port));
  expect(await runHere(['copy', data, copy])).toMatchObject({
    code: 0,
    stdout: expect.stringContaining('every chain unbroken'),
  });
  await runHere(propose('second'), at(gateway.port));
  await using other = await startOnLoopback('dev: true', { folder: copy });
  const { stdout } = await runHere(['inbox'], at(other.port));
  expect(stdout).toContain('first');
  expect(stdout).not.toContain('second');
  expect(await runHere(['copy', data, copy])).toMatchObject({
    code: 1,
    stderr: expect.stringMatching(/is not empty\. Copy into a new folder\.\n$/),
  });
  const mistyped = await runHere(['copy', join(folder.path, 'none.yml'), join(folder.path, 'other')]);
  expect(mistyped.stderr).toMatch(/none\.yml does not exist[^]*→ proffer copy FROM TO/);
  expect(mistyped.stderr).not.toContain('--data');
});
