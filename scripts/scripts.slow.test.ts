import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it, onTestFinished } from 'vitest';
import { explainInstallFailure, matchesLockfile } from './install.mjs';
import { nodeProblem } from './node-version.mjs';

const scripts = fileURLToPath(new URL('.', import.meta.url));

/** Runs Node until it exits, or until `until` reacts to the output so far. */
async function runNode(
  args: readonly string[],
  until: (output: string, child: ReturnType<typeof spawn>) => void = () => {},
): Promise<{ readonly code: number | null; readonly output: string }> {
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  const collect = (text: string): void => {
    output += text;
    until(output, child);
  };
  child.stdout.setEncoding('utf8').on('data', collect);
  child.stderr.setEncoding('utf8').on('data', collect);
  const [code] = (await once(child, 'close')) as [number | null];
  return { code, output };
}

function scratchFile(name: string, text: string): string {
  const folder = mkdtempSync(join(tmpdir(), 'proffer-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  writeFileSync(join(folder, name), text);
  return join(folder, name);
}

function lock(packages: object): string {
  return JSON.stringify({ packages });
}

it('says why packages are installed again after npm start', async () => {
  const lockfile = scratchFile('package-lock.json', lock({}));
  const folder = dirname(lockfile);
  mkdirSync(join(folder, 'node_modules'));
  writeFileSync(join(folder, 'node_modules', '.proffer-installed'), 'run-only of an earlier lockfile');
  const script = `import(${JSON.stringify(join(scripts, 'install.mjs'))}).then(({ install }) => install(${JSON.stringify(folder)})).catch(() => {})`;
  const { output } = await runNode(['-e', script]);
  expect(output).toMatch(
    /^npm start installed only what running needs; checks and tests need more packages\.\nInstalling/,
  );
});

describe('Node version', () => {
  it.each(['20.19.0', '20.20.2', '22.12.0', '22.20.0', '24.0.0', '100.1.0'])('%s is supported', (version) => {
    expect(nodeProblem(version)).toBeUndefined();
  });

  it.each(['16.20.2', '18.20.8', '20.18.3', '21.7.3', '22.11.0'])(
    '%s is too old, with an explanation',
    (version) => {
      expect(nodeProblem(version)).toMatch(`this is Node ${version}. Install`);
    },
  );

  it.each(['start', 'test', 'build', 'bench'])('is checked by %s before anything else', async (name) => {
    const shim = scratchFile(
      'old-node.mjs',
      `Object.defineProperty(process, 'versions', { value: { ...process.versions, node: '18.20.8' } });`,
    );
    const { code, output } = await runNode(['--import', shim, join(scripts, `${name}.mjs`)]);
    expect(code).toBe(1);
    expect(output).toMatch(/^\nProffer needs Node 20\.19 .* this is Node 18\.20\.8\. .*\n$/);
  });
});

describe('failed installation', () => {
  it.each([
    ['npm error code ENOTFOUND', /no network/],
    ['npm error network request failed, reason: connect ECONNREFUSED 127.0.0.1:9', /no network/],
    ['npm error code EUSAGE', /do not agree.*npm install/],
    ['npm error code EACCES', /may not write/],
    ['npm error code ENOSPC', /disk is full/],
    ['npm error code E500', /what it said is above/],
  ])('is explained: %s', (output, explanation) => {
    expect(explainInstallFailure(output)).toMatch(explanation);
  });
});

describe('installed packages', () => {
  const ours = { version: '1.0.0', integrity: 'sha512-a' };
  const wanted = lock({ '': {}, 'node_modules/a': ours, 'node_modules/b': { ...ours, optional: true } });

  it.each([
    ['all of it', lock({ 'node_modules/a': ours, 'node_modules/b': ours }), true],
    ['all except for other platforms', lock({ 'node_modules/a': ours }), true],
    ['nothing', undefined, false],
    ['too little', lock({ 'node_modules/b': ours }), false],
    ['too much', lock({ 'node_modules/a': ours, 'node_modules/c': ours }), false],
    ['another version', lock({ 'node_modules/a': { ...ours, version: '2.0.0' } }), false],
    ['other content', lock({ 'node_modules/a': { ...ours, integrity: 'sha512-b' } }), false],
  ])('are compared with the lockfile: %s', (_what, found, expected) => {
    expect(matchesLockfile(wanted, found)).toBe(expected);
  });
});

describe('running a program', () => {
  const sleeper = 'console.log(process.pid); setInterval(() => {}, 1000);';

  it.each(['SIGINT', 'SIGTERM', 'SIGHUP'] as const)('forwards %s to the program', async (signal) => {
    const parent = scratchFile(
      'parent.mjs',
      `import { run } from ${JSON.stringify(join(scripts, 'run.mjs'))};
      await run(process.execPath, ['-e', ${JSON.stringify(sleeper)}], { stream: true });
      console.log('went on');`,
    );
    const { code, output } = await runNode([parent], (text, child) => {
      if (/^\d+\n/.test(text)) child.kill(signal);
    });
    expect(code).toBe({ SIGINT: 130, SIGTERM: 143, SIGHUP: 129 }[signal]);
    expect(output).toMatch(/^\d+\n$/);
    expect(() => process.kill(Number(output), 0)).toThrow('ESRCH');
  });

  it('collects its output and returns its exit code', async () => {
    const parent = scratchFile(
      'parent.mjs',
      `import { run } from ${JSON.stringify(join(scripts, 'run.mjs'))};
      const text = "console.log('out'); console.error('err'); process.exitCode = 3";
      console.log(JSON.stringify(await run(process.execPath, ['-e', text])));`,
    );
    const { output } = await runNode([parent]);
    expect(JSON.parse(output)).toEqual({ code: 3, output: 'out\nerr\n' });
  });
});

describe('npm test', () => {
  it('prints help', async () => {
    const { code, output } = await runNode([join(scripts, 'test.mjs'), '--help']);
    expect(code).toBe(0);
    expect(output).toContain('npm test -- FILE');
  });
});
