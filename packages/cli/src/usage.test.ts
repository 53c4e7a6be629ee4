import { expect, it } from 'vitest';
import { runHere } from './testing/in-process.js';

it.each([['rules', 'suggest'], ['rules', 'test'], ['policy', 'test'], ['log'], ['verify']])(
  'names the folder of a journal --data in the help of %s',
  async (...command) => {
    const { stdout } = await runHere([...command, '--help']);
    expect(stdout).toContain('--data <folder>');
    expect(stdout).not.toContain('--journal');
  },
);

it.each(['--tokn=SECRET', "--tokn=a'SECRET", '--tokn=a\nSECRET'])(
  'does not repeat the value of an unknown option: %j',
  async (option) => {
    const { code, stdout, stderr } = await runHere(['inbox', option]);
    expect(code).toBe(2);
    expect(stderr).toContain("Unknown option '--tokn'.");
    expect(stdout + stderr).not.toContain('SECRET');
  },
);

it('says where an id goes that begins with a dash', async () => {
  const { stderr } = await runHere(['keys', 'revoke', '-Fq3vN']);
  expect(stderr).toContain(`Unknown option '-Fq3vN'. An id that begins with a dash goes after "--".`);
  expect((await runHere(['inbox', '--tokn'])).stderr).not.toContain('dash');
});
