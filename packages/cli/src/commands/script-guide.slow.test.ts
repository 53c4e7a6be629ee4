import { execFile, spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { temporaryFolder } from '../testing/cli.js';
import { startDevGateway } from '../testing/dev-gateway.js';

const GUIDE = new URL('../../../../docs/guides/approve-from-a-script.md', import.meta.url);
const END_OF_STEP = '--- the next step';

/** The blocks of the guide: commands, some followed by their output. */
function readSteps(): readonly { readonly commands: string; readonly prints: string }[] {
  const blocks = readFileSync(GUIDE, 'utf8').matchAll(/^```sh\n(.*?)^```\n(?:\n```text\n(.*?)^```\n)?/gms);
  return Array.from(blocks, ([, commands = '', prints = '']) => ({ commands, prints }));
}

it('O-11, O-17, O-25: the commands of the guide do what it says, with real curl', async () => {
  for (const tool of ['curl', 'jq']) {
    const { status } = spawnSync(tool, ['--version']);
    expect(status, `This test runs the guide's lines, which need ${tool}: install it.`).toBe(0);
  }
  await using gateway = await startDevGateway();
  const steps = readSteps();
  expect(steps.length).toBeGreaterThan(9);
  const script = steps.map(({ commands }) => `${commands}\necho '${END_OF_STEP}'\n`).join('');
  await using folder = await temporaryFolder();
  const here = script.replaceAll('http://127.0.0.1:7420', gateway.url);
  const { stdout } = await promisify(execFile)('/bin/sh', ['-euc', here], { cwd: folder.path });
  const printed = stdout.split(`${END_OF_STEP}\n`).slice(0, -1);
  expect(printed).toEqual(steps.map(({ prints }) => prints));
});
