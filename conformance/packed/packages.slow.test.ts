import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { type Consumer, entryPoints, installPacked } from './packages.js';

/** Installing takes a while with a slow registry. */
const TIMEOUT = 300_000;

let consumer: Consumer;
beforeAll(async () => {
  consumer = await installPacked();
}, TIMEOUT);
afterAll(() => consumer[Symbol.asyncDispose]());

const NODE = { module: 'nodenext', moduleResolution: 'nodenext', lib: ['es2022'], types: [] };
const BUNDLED = { module: 'esnext', moduleResolution: 'bundler', lib: ['es2022'], types: [] };
const BROWSER = { ...BUNDLED, lib: ['es2022', 'dom'], customConditions: ['browser'] };

describe('published packages', () => {
  it.each([
    ['Node', NODE],
    ['Node, bundled', BUNDLED],
    ['a browser', BROWSER],
  ])(
    'compile in a program for %s that type-checks its libraries',
    async (_, options) => {
      const entries = await Promise.all(consumer.packages.map((name) => entryPoints(consumer.folder, name)));
      // The journal tests need vitest, an adapter needs its framework, and the command has no types.
      const needsMore = /\/(?:testing|ai-sdk|langchain|openai-agents|cli)$/;
      const names = entries.flat().filter((entry) => !needsMore.test(entry));
      // The client also alone: another package may bring the Node types that it lacks.
      for (const imported of [names, ['@proffer/client'], ['@proffer/client/negotiation']]) {
        const program = imported.map((name, index) => `export * as e${index} from '${name}';`).join('\n');
        expect(await consumer.typeCheck(program, options)).toBe('');
      }
    },
    120_000,
  );

  it('have source maps that point to sources they contain', async () => {
    for (const name of consumer.packages) {
      const folder = join(consumer.folder, 'node_modules', name, 'dist');
      const maps = (await readdir(folder, { recursive: true })).filter((file) => file.endsWith('.map'));
      for (const map of maps) {
        const { sources } = JSON.parse(await readFile(join(folder, map), 'utf8')) as { sources: string[] };
        for (const source of sources) {
          expect(existsSync(join(folder, dirname(map), source)), `${name}/dist/${map}`).toBe(true);
        }
      }
    }
  });

  it('name their origin and can be published', async () => {
    for (const name of consumer.packages) {
      const text = await readFile(join(consumer.folder, 'node_modules', name, 'package.json'), 'utf8');
      expect(JSON.parse(text)).toMatchObject({
        name,
        license: 'MIT',
        repository: { type: 'git', directory: `packages/${name.slice('@proffer/'.length)}` },
        publishConfig: { access: 'public', provenance: true },
      });
    }
  });

  it('include a command that installs from its tarball alone, with the console', async () => {
    await using alone = await installPacked(['cli']);
    const url = await startGateway(alone.folder);
    const page = await fetch(new URL('/console/', url));
    expect(await page.text()).toContain('<title>');
    expect(await readdir(join(alone.folder, 'node_modules/@proffer'))).toEqual(['cli']);
    // The thread of verify finds all that it imports, and that there is no journal.
    const thread = `import { Worker } from 'node:worker_threads';
      const program = new URL('./node_modules/@proffer/cli/dist/deciding-thread.js', import.meta.url);
      new Worker(program, { workerData: { folder: 'none' } }).on('exit', (code) => console.log('ended', code));`;
    expect(await alone.run(thread)).toBe('ended 0\n');
  });

  it('run a gateway with an agent that proposes and a reviewer who approves', async () => {
    const url = await startGateway(consumer.folder);
    const output = await consumer.run(
      `import { connect } from '@proffer/client';
       const join = (token) => connect({ url: process.env.PROFFER_URL, token, space: 'main' });
       const [agent, reviewer] = await Promise.all([join('agent'), join('reviewer')]);
       reviewer.onProposal(({ fulfil }) => fulfil());
       const { content } = await agent.propose('tools/call', { name: 'echo', arguments: { text: 'installed' } });
       console.log(content[0].text);
       for (const participant of [agent, reviewer]) await participant.close();`,
      { PROFFER_URL: url.replace('http', 'ws') },
    );
    expect(output).toBe('installed\n');
  });
});

/** Starts the installed `proffer up` and returns its address. */
async function startGateway(folder: string): Promise<string> {
  const command = join(folder, 'node_modules/@proffer/cli/bin/proffer.js');
  const child = spawn(
    process.execPath,
    [command, 'up', '--dev', '--port', '0', '--data', join(folder, 'data')],
    {
      cwd: folder,
      stdio: ['ignore', 'pipe', 'ignore'],
    },
  );
  onTestFinished(async () => {
    const exit = once(child, 'exit');
    if (child.kill()) await exit;
  });
  return await new Promise((resolve, reject) => {
    let output = '';
    child.once('exit', () => reject(new Error(`The gateway did not start: ${output}`)));
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      output += text;
      const [, url] = /HTTP +(http:\S+)/.exec(output) ?? [];
      if (url !== undefined) resolve(url);
    });
  });
}
