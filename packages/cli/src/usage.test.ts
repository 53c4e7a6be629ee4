import { expect, it } from 'vitest';
import { runHere } from './testing/in-process.js';

it.each(['--tokn=SECRET', "--tokn=a'SECRET", '--tokn=a\nSECRET'])(
  'does not repeat the value of an unknown option: %j',
  async (option) => {
    const { code, stdout, stderr } = await runHere(['inbox', option]);
    expect(code).toBe(2);
    expect(stderr).toContain("Unknown option '--tokn'.");
    expect(stdout + stderr).not.toContain('SECRET');
  },
);

it.each([['guard'], ['bridge']])(
  "leaves the options after a server's command to the server, also without --: %s",
  async (command) => {
    // Reported before anything is started.
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
