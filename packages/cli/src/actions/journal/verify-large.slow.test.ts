import { readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { PassThrough } from 'node:stream';
import { connect } from '@proffer/client';
import { formatSignerKey, makeSignerKey } from '@proffer/evidence/node';
import { startOnLoopback } from '@proffer/gateway';
import { type LocalJournal, openLocalJournal } from '@proffer/journal';
import { appended } from '@proffer/journal/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { decideApart } from '../../journal/decide-apart.js';
import { folderPlace } from '../../journal/place.js';
import { BUILT, proffer, start, temporaryFolder } from '../../testing/cli.js';
import { readAll } from '../../testing/forger.js';

/** The command says on stderr when it starts a thread. */
const env = { NODE_DEBUG: 'worker' };
const THREAD = /create new worker .*deciding-thread/u;

/** A journal that is large enough for the built command to decide it again in another thread. */
describe('verify of a large journal', () => {
  let home: Awaited<ReturnType<typeof temporaryFolder>>;
  let data: string;

  async function write(append: (journal: LocalJournal) => Promise<void>): Promise<void> {
    const opened = await openLocalJournal(data);
    if (!opened.ok) throw new Error(opened.refusal.message);
    await append(opened.value);
    await opened.value.close();
  }

  const startGateway = () => {
    const key = JSON.stringify(join(home.path, 'log.key'));
    return startOnLoopback(`dev: true\nevidence: { key: ${key} }`, { folder: data });
  };

  beforeAll(async () => {
    home = await temporaryFolder();
    data = join(home.path, 'data');
    const key = formatSignerKey(makeSignerKey('proffer.example/log'));
    await writeFile(join(home.path, 'log.key'), `${key}\n`, { mode: 0o600 });
    {
      await using gateway = await startGateway();
      const url = `http://127.0.0.1:${gateway.port}`;
      await using agent = await connect({ url, space: 'main', token: 'agent' });
      await agent.propose('tools/call', { name: 'pay', arguments: {} }, { id: 'p-1' }).accepted;
      await agent.withdraw('p-1');
    }
    await write(async (journal) => {
      const content = (id: string) => ({
        type: 'said',
        time: Date.now(),
        principal: 'agent',
        envelope: { id, payload: { text: 'x'.repeat(1_500) } },
      });
      for (let version = 0; version < 12_000; version += 1_000) {
        const contents = Array.from({ length: 1_000 }, (_, index) => content(`m-${version + index}`));
        appended(await journal.append('elsewhere/participant/agent', version, contents));
      }
    });
  });
  afterAll(() => home[Symbol.asyncDispose]());

  /** What the built command says, which must be what the sources say in one thread; and whether it had a thread. */
  async function verify(...more: readonly string[]) {
    const line = ['verify', '--data', data, ...more];
    const { stderr, ...found } = await proffer(line, { env, program: BUILT });
    const { code, stdout } = await proffer(line);
    expect(found).toEqual({ code, stdout });
    return { ...found, hadThread: THREAD.test(stderr) };
  }

  it('I-11: says the same as in one thread, also while a gateway has it open', async () => {
    expect(await verify()).toMatchObject({ code: 0, hadThread: true });
    const program = join(dirname(BUILT), 'deciding-thread.js');
    await using apart = await decideApart(folderPlace(data), new PassThrough(), { program });
    expect(await apart?.decided).toMatchObject({ wrong: 0 });
    await using _ = await startGateway();
    expect(await verify()).toMatchObject({ code: 0, hadThread: true });
  });

  it('ends with its thread on Ctrl-C', async () => {
    const running = start(['verify', '--data', data], { env, program: BUILT });
    await running.until(THREAD);
    running.child.kill('SIGINT');
    expect((await running.ended).code).toBeNull();
  });

  it('I-11: says the same of a record that could not have come about, and of damage', async () => {
    const [last] = (await readAll(data)).filter(({ stream }) => stream === 'main/proposal/p-1').slice(-1);
    if (last === undefined) throw new Error('nothing is recorded about p-1');
    await write(async (journal) => {
      const { version } = journal.headNow(last.stream);
      appended(await journal.append(last.stream, version, [last.content]));
    });
    const forged = await verify('--json');
    expect(forged).toMatchObject({ code: 1, hadThread: true });
    expect(JSON.parse(forged.stdout)).toMatchObject({ whole: false, decided: { wrong: 1 } });
    const segment = join(data, '00000001.0000.segment');
    const bytes = await readFile(segment);
    bytes.write('P-1', bytes.indexOf('p-1'));
    await writeFile(segment, bytes);
    expect(await verify()).toMatchObject({
      code: 1,
      stdout: expect.stringContaining('is damaged'),
      hadThread: true,
    });
  });
});
