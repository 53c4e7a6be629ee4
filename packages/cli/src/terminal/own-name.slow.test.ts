import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { inOwnWords, ownName } from './shell.js';

const FILE = fileURLToPath(new URL('../../bin/proffer.js', import.meta.url));

it.each([
  { file: '/usr/local/bin/proffer', env: { PATH: '/bin:/usr/local/bin' }, name: 'proffer' },
  { file: '/a/node_modules/.bin/proffer', env: { PATH: '/bin' }, name: '/a/node_modules/.bin/proffer' },
  { file: '/a/node_modules/.bin/proffer', env: { npm_execpath: '/npm' }, name: 'npx proffer' },
  { file: '/a/packages/cli/bin/proffer.js', env: {}, name: 'node /a/packages/cli/bin/proffer.js' },
  { file: "/my a's/proffer.js", env: {}, name: `node '/my a'\\''s/proffer.js'` },
])('$file is called $name', ({ file, env, name }) => {
  expect(ownName(file, env)).toBe(name);
});

it('suggests the file it was run by', () => {
  const { PATH = '' } = process.env;
  const help = execFileSync(process.execPath, [FILE, '--help'], { env: { PATH }, encoding: 'utf8' });
  expect(help).toContain(`${ownName(FILE, {})} up --dev`);
});

it('rewrites gateway messages in the words of the command line', () => {
  const config = 'Make a token with `proffer token NAME`, or make one with `proffer init`.';
  expect(inOwnWords(config, 'npx proffer')).toBe(
    'Make a token with "npx proffer token NAME", or make one with "npx proffer init".',
  );
  expect(inOwnWords('Wait, or name another one in `to`; it is pending.', 'proffer')).toBe(
    'Wait, or name another one with "approve --to NAME"; it is pending.',
  );
});
