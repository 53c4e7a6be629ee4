import { expect, it } from 'vitest';
import { runHere } from './testing/in-process.js';

it.each(['--tokn=SECRET', "--tokn=a'SECRET", '--tokn=a\nSECRET'])(
  'the value of an option that there is none of is not repeated: %j',
  async (option) => {
    const { code, stdout, stderr } = await runHere(['inbox', option]);
    expect(code).toBe(2);
    expect(stderr).toContain("Unknown option '--tokn'.");
    expect(stdout + stderr).not.toContain('SECRET');
  },
);

it.each([['guard'], ['bridge']])(
  'the options after the command of a server are its own, also without --: %s',
  async (command) => {
    // Where it would have to be is told before anything is started.
    const url = 'not an address';
    const { stderr } = await runHere([
      command,
      '--url',
      url,
      '--token',
      't',
      'npx',
      '-y',
      'server',
      '--name',
      'x',
    ]);
    expect(stderr).toContain('--url');
    expect(stderr).not.toContain('Unknown option');
  },
);
