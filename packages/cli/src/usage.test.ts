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
