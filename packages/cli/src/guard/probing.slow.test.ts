import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { describe, expect, it } from 'vitest';
import { BUILT, start } from '../testing/cli.js';
import { machine, SERVER } from '../testing/guard-machine.js';
import { connectMcp } from '../testing/mcp-client.js';
import { startOfficial } from '../testing/official-client.js';

/** Records which processes are guards, and which of them load a gateway. */
const HOOKS = `
import { appendFileSync } from 'node:fs';
export async function load(url, context, next) {
  const loaded = await next(url, context);
  const isGateway = String(loaded.source).includes('function startGateway(');
  if (isGateway) appendFileSync(process.env.LOADED, 'gateway\\n');
  else if (url.endsWith('cli/dist/main.js')) appendFileSync(process.env.LOADED, 'cli\\n');
  return loaded;
}`;

describe('starting guard', () => {
  it('starts one gateway for a client that probes with a separate process', async () => {
    await using here = await machine();
    const at = (name: string): string => join(here.files, name);
    await writeFile(at('hooks.mjs'), HOOKS);
    const hooks = JSON.stringify(pathToFileURL(at('hooks.mjs')).href);
    await writeFile(at('register.mjs'), `import { register } from 'node:module'; register(${hooks});`);
    const env = {
      LOADED: at('loaded'),
      NODE_OPTIONS: `--import=${pathToFileURL(at('register.mjs')).href}`,
    };
    await using official = await startOfficial(here.args(), { probes: true, env, program: BUILT });
    const { client } = official;
    await client.callTool({ name: 'list_directory', arguments: { path: here.files } });
    const loaded = (await readFile(at('loaded'), 'utf8')).trim().split('\n');
    expect(loaded.filter((what) => what.startsWith('cli'))).toHaveLength(2);
    expect(loaded.filter((what) => what.startsWith('gateway'))).toHaveLength(1);
    await using reviewer = await here.reviewer();
    expect(reviewer.participants.map(({ id }) => id)).not.toContain('filesystem-2');
  });

  it('reports an unusable folder to a client that calls a tool, and runs nothing', async () => {
    await using here = await machine();
    await mkdir(here.data, { recursive: true });
    // A file in place of the folder.
    await writeFile(join(here.data, 'journal'), '');
    const guard = start([...here.bare(), '--', process.execPath, SERVER, here.files]);
    const client = await connectMcp(guard);
    expect(await client.request('tools/list')).toMatchObject({ tools: expect.any(Array) });
    await expect(here.write(client, 'a.txt')).rejects.toThrow(
      /^Nothing was run: the guard could not start\. /,
    );
    await expect(here.write(client, 'b.txt')).rejects.toThrow(/--data FOLDER/);
    expect(await readFile(join(here.files, 'a.txt'), 'utf8').catch(() => 'none')).toBe('none');
    await guard.until(/✗ .*journal/s);
    await here.stop(guard);
    expect((await guard.ended).code).toBe(1);
  });

  it('O-50: with an unusable folder, a guard that only watches passes every call on, and says so', async () => {
    await using here = await machine();
    await mkdir(here.data, { recursive: true });
    await writeFile(join(here.data, 'journal'), '');
    const guard = start([...here.bare('--watch'), '--', process.execPath, SERVER, here.files]);
    const client = await connectMcp(guard);
    await here.write(client, 'a.txt');
    expect(await readFile(join(here.files, 'a.txt'), 'utf8')).not.toBe('');
    await guard.until(/calls pass as they would without a guard/);
    await here.stop(guard);
    await guard.ended;
  });
});
