import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { proffer, start, temporaryFolder } from '../testing/cli.js';
import { startDevGateway } from '../testing/dev-gateway.js';
import { runHere } from '../testing/in-process.js';
import { startUp } from '../testing/up-process.js';

interface Replayed {
  readonly seq: number;
  readonly spaces: { readonly main: { readonly proposals: Readonly<Record<string, { state: string }>> } };
}

describe('journal without its gateway', () => {
  it('I-3: replays a journal that a gateway has open to the state the gateway shows', async () => {
    await using gateway = await startDevGateway();
    await gateway.run('propose', 'echo', '--arg', 'text=a', '--id', 'first', '--no-wait');
    await gateway.run('approve', 'first');
    await gateway.run('propose', 'echo', '--arg', 'text=b', '--id', 'second', '--no-wait');
    const live = JSON.parse((await gateway.run('inbox', '--all', '--json')).stdout) as {
      proposals: { id: string; wouldRun?: object }[];
    };
    const replay = async (...args: readonly string[]) =>
      JSON.parse((await runHere(['replay', '--data', gateway.data, '--json', ...args])).stdout) as Replayed;
    const { spaces } = await replay();
    // Only the gateway knows the executor.
    const recorded = live.proposals.map(({ wouldRun: _wouldRun, ...proposal }) => proposal);
    expect(Object.values(spaces.main.proposals)).toEqual(recorded);
    await gateway.stop();
    expect((await replay()).spaces).toEqual(spaces);
    const log = await replay('--until', '2');
    expect(log.seq).toBe(2);
    expect(log.spaces.main.proposals).toMatchObject({ first: { state: 'pending' } });
  });

  it('I-1: verifies an intact journal, and after damage reports where it is, with exit code 1', async () => {
    await using gateway = await startDevGateway();
    for (const id of ['a', 'b', 'c']) {
      await gateway.run('propose', 'echo', '--arg', 'text=original', '--id', id, '--no-wait');
    }
    await gateway.stop();
    const whole = await proffer(['verify', '--data', gateway.data]);
    expect(whole).toMatchObject({ code: 0, stdout: expect.stringContaining('every chain unbroken') });
    const file = await fileWith(gateway.data, 'original');
    const bytes = await readFile(file);
    bytes.write('tampered', bytes.indexOf('original'));
    await writeFile(file, bytes);
    const refused = await proffer(['up', '--dev', '--port', '0', '--data', gateway.data]);
    expect(refused.code).toBe(1);
    expect(refused.stderr).toContain(`proffer verify --data ${gateway.data}`);
    const damaged = await proffer(['verify', '--data', gateway.data]);
    expect(damaged.code).toBe(1);
    expect(damaged.stdout).toMatch(new RegExp(`${file}, byte \\d+`));
    const { faults } = JSON.parse((await runHere(['verify', '--data', gateway.data, '--json'])).stdout) as {
      faults: { file: string; offset: number }[];
    };
    expect(faults[0]).toMatchObject({ file, offset: expect.any(Number) });
  });

  it('I-1: keeps a damaged acknowledged record, and reports a write that was cut off', async () => {
    await using gateway = await startUp();
    await gateway.run('propose', 'echo', '--arg', 'text=original', '--id', 'a', '--no-wait');
    gateway.process.child.kill('SIGKILL');
    await gateway.process.ended;
    const data = ['--data', gateway.data];
    const file = await fileWith(gateway.data, 'original');
    const whole = await readFile(file);
    const offset = whole.lastIndexOf('{"frame":"batch"');
    const changed = Buffer.from(whole);
    changed.write('Original', changed.lastIndexOf('original'));
    await writeFile(file, changed);
    const way = `proffer repair --data ${gateway.data}`;
    const damaged = await runHere(['verify', ...data]);
    expect(damaged).toMatchObject({ code: 1, stdout: expect.stringContaining(way) });
    const refused = await proffer(['up', '--dev', '--port', '0', ...data]);
    expect(refused).toMatchObject({ code: 1, stderr: expect.stringContaining(way) });

    // The beginning of another batch, which was not acknowledged.
    const end = whole.findLastIndex((byte) => byte !== 0) + 1;
    await writeFile(file, Buffer.concat([whole.subarray(0, end), whole.subarray(offset, offset + 200)]));
    const place = `The last 200 bytes of ${file}, from byte ${end}, are not a complete batch.`;
    const told = await proffer(['replay', ...data]);
    expect(told).toMatchObject({ code: 0, stderr: expect.stringContaining(place) });
    const cutOff = await proffer(['verify', ...data]);
    expect(cutOff).toMatchObject({ code: 6, stdout: expect.stringMatching(/^! /) });
    expect(cutOff.stdout).toContain(place);
    expect(cutOff.stdout).not.toContain('✓');
    const { stdout } = await runHere(['verify', ...data, '--json']);
    const facts = { file, offset: end, bytes: 200 };
    expect(JSON.parse(stdout)).toMatchObject({ whole: false, faults: [], cutOff: facts });
    const up = start(['up', '--dev', '--port', '0', ...data]);
    const said = await up.until(/Ctrl-C stops it/);
    up.child.kill('SIGTERM');
    const { stderr } = await up.ended;
    expect(said).toContain(`! ${place}`);
    const logged = stderr.split('\n').find((line) => line.startsWith('{') && line.includes('complete batch'));
    expect(JSON.parse(logged ?? '{}')).toMatchObject(facts);
    expect((await runHere(['verify', ...data])).code).toBe(0);
  });

  it('I-1: does not start on a journal with a missing end; repair shows what can be recovered, and keeps it when told to', async () => {
    await using gateway = await startDevGateway();
    for (const id of ['a', 'b']) {
      await gateway.run('propose', 'echo', '--arg', `text=said-${id}`, '--id', id, '--no-wait');
    }
    await gateway.stop();
    const data = ['--data', gateway.data];
    expect(await runHere(['repair', ...data])).toMatchObject({ code: 0 });
    const file = await fileWith(gateway.data, 'said-b');
    const whole = await readFile(file);
    const offset = whole.lastIndexOf('{"frame":"batch"', whole.indexOf('said-b'));
    await writeFile(file, whole.subarray(0, offset));
    const refused = await proffer(['up', '--dev', '--port', '0', ...data]);
    expect(refused).toMatchObject({
      code: 1,
      stderr: expect.stringContaining(`${file} is damaged at byte ${offset}`),
    });
    const planned = await runHere(['repair', ...data]);
    expect(planned).toMatchObject({
      code: 1,
      stdout: expect.stringContaining('repair --accept-loss --data'),
    });
    expect((await readFile(file)).length).toBe(offset);
    expect(await runHere(['repair', '--accept-loss', ...data])).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('can be opened again; the loss is recorded'),
    });
    expect(await runHere(['verify', ...data])).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('A loss was accepted'),
    });
    const { stdout } = await runHere(['replay', '--json', ...data]);
    const { proposals } = (JSON.parse(stdout) as Replayed).spaces.main;
    expect(Object.keys(proposals)).toEqual(['a']);
  });

  it('uses the journal of proffer.yaml if it exists, else that of dev mode, without --data', async () => {
    await using folder = await temporaryFolder();
    const cwd = folder.path;
    await makeJournal(['--dev'], cwd);
    const dev = await proffer(['verify'], { cwd });
    expect(dev).toMatchObject({ code: 0, stdout: expect.stringContaining(join(cwd, 'proffer-dev-data')) });
    await writeFile(join(cwd, 'proffer.yaml'), 'dev: true\njournal: { path: kept-here }\n');
    for (const command of ['verify', 'replay']) {
      const none = await proffer([command], { cwd });
      expect(none).toMatchObject({ code: 2, stderr: expect.stringContaining(join(cwd, 'kept-here')) });
    }
    await makeJournal([], cwd);
    for (const command of ['verify', 'replay']) {
      const found = await proffer([command], { cwd });
      expect(found).toMatchObject({ code: 0, stdout: expect.stringContaining(join(cwd, 'kept-here')) });
    }
    const nowhere = await proffer(['replay', '--space', 'nope'], { cwd });
    expect(nowhere).toMatchObject({ code: 1, stderr: expect.stringContaining('Space "nope" not found') });
    await writeFile(join(cwd, 'proffer.yaml'), 'dev: true\njournal: { path: [] }\n');
    expect(await proffer(['verify'], { cwd })).toMatchObject({ code: 2, stdout: '' });
  });

  it('does not create a journal by reading', async () => {
    await using folder = await temporaryFolder();
    for (const command of ['replay', 'verify']) {
      const { code, stderr } = await proffer([command], { cwd: folder.path });
      expect(code).toBe(2);
      expect(stderr).toContain('not found.');
    }
    expect(await readdir(folder.path)).toEqual([]);
  });
});

async function makeJournal(options: readonly string[], cwd: string): Promise<void> {
  const up = start(['up', '--port', '0', '--log-level', 'silent', ...options], { cwd });
  await up.until(/Ctrl-C stops it/);
  up.child.kill('SIGTERM');
  await up.ended;
}

async function fileWith(folder: string, text: string): Promise<string> {
  for (const entry of await readdir(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (entry.isFile() && (await readFile(path)).includes(text)) return path;
  }
  throw new Error(`No file in ${folder} holds ${text}.`);
}
