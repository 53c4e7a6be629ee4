import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { COMMAND_FAMILIES } from './command-families.js';
import { run } from './program.js';
import { processShell } from './terminal/shell.js';
import { proffer, start, temporaryFolder } from './testing/cli.js';
import { startDevGateway } from './testing/dev-gateway.js';
import { runHere } from './testing/in-process.js';

const NOBODY = 'http://127.0.0.1:1';

describe('command line', () => {
  it('help explains how to begin and the exit codes', async () => {
    const { code, stdout } = await proffer(['--help', '--all']);
    expect(code).toBe(0);
    expect(stdout).toContain('proffer up --dev');
    expect(stdout).toMatch(/3 +the gateway cannot be reached/);
  });

  it.each([
    [
      'an unknown command',
      ['prpose'],
      "✗ Unknown command 'prpose'. Did you mean propose?\n  → proffer --help",
    ],
    ['help for an unknown command', ['help', 'prpose'], "✗ Unknown command 'prpose'. Did you mean propose?"],
    [
      'an unknown command with --help',
      ['negotiate', 'acept', '--help'],
      'Did you mean accept?\n  → proffer negotiate --help',
    ],
    [
      'an unknown option',
      ['negotiate', 'show', 'x', '--jsn'],
      'Did you mean --json?\n  → proffer negotiate show --help',
    ],
    [
      'two names for one folder',
      ['verify', '--data', 'a', '--journal', 'b'],
      'are the same; use only one of them',
    ],
    ['a missing argument', ['approve'], "✗ Missing required argument 'id'.\n  → proffer approve --help"],
    ['missing arguments', ['propose', '--json', '--url', 'x', 'echo'], 'is not the address of a gateway'],
    ['a token for nobody', ['token'], 'Name the participant that the token is for'],
    ['a missing reason', ['reject', 'x'], '--reason'],
    ['a bad duration', ['propose', 'echo', '--ttl', 'soon'], 'Give a duration, such as 30s'],
    ['arguments that are not an object', ['propose', 'echo', '--json', '[1]'], 'must be a JSON object'],
    ['an assignment without =', ['propose', 'echo', '--arg', 'text'], 'is not an assignment'],
    ['an invalid address', ['inbox', '--url', 'localhost'], 'is not the address of a gateway'],
    ['two identities', ['inbox', '--as', 'a', '--token', 'b'], 'use only one of them'],
    ['a gateway elsewhere without a token', ['inbox', '--url', 'https://gateway.example'], 'needs a token'],
  ])('%s exits with 2 and explains the right usage', async (_title, args, sentence) => {
    const { code, stderr } = await runHere(args);
    expect(stderr).toContain(sentence);
    expect(code).toBe(2);
  });

  it('reports usage errors only on stderr, and exits with 2', async () => {
    for (const [args, sentence] of [
      [['prpose'], 'Did you mean propose?'],
      [['approve'], "Missing required argument 'id'."],
      [['propose', 'echo', '--arg', 'text'], 'is not an assignment'],
    ] as const) {
      const { code, stdout, stderr } = await proffer(args);
      expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
      expect(stderr).toContain(sentence);
    }
  });

  it('every help page fits into 80 columns, and help COMMAND equals COMMAND --help', async () => {
    const commands = COMMAND_FAMILIES.flatMap(({ names }) => names.map((name) => [name]));
    const below = ['start', 'propose', 'show', 'commit', 'replay'].map((name) => ['negotiate', name]);
    for (const command of [[], ...commands, ...below]) {
      let stdout = '';
      const print = (...lines: readonly string[]): void => {
        stdout += lines.join('\n');
      };
      expect(await run(['help', ...command], { ...processShell(), name: 'proffer', width: 200, print })).toBe(
        0,
      );
      expect(stdout).toContain(`Usage: ${['proffer', ...command].join(' ')} `);
      const wide = stdout.split('\n').filter((line) => line.length > 80);
      expect(wide).toEqual([]);
    }
  });

  it('accepts --data or --journal for a folder, and --json or -o json for JSON', async () => {
    await using folder = await temporaryFolder();
    const missing = join(folder.path, 'none');
    for (const option of ['--data', '--journal']) {
      const { code, stdout, stderr } = await runHere(['verify', option, missing, '-o', 'json']);
      expect(stderr).toContain(`Folder ${missing} not found.`);
      expect(JSON.parse(stdout)).toMatchObject({ error: { code: 'no_journal' } });
      expect(code).toBe(2);
    }
  });

  it('exits with 3 and a diagnostic command if a gateway does not answer', async () => {
    const { code, stderr, stdout } = await proffer(['inbox', '--url', NOBODY, '--json']);
    expect(code).toBe(3);
    expect(stderr).toContain(`proffer doctor --url ${NOBODY}`);
    // A new one started here would not be the one that was named.
    expect(stderr).not.toContain('up --dev');
    expect(JSON.parse(stdout)).toMatchObject({ error: { code: 'unreachable' } });
  });

  it('uses colours on terminals or if forced, and never with NO_COLOR', async () => {
    const args = ['inbox', '--url', NOBODY];
    expect((await proffer(args)).stderr).not.toContain('\u001b');
    expect((await proffer(args, { env: { FORCE_COLOR: '1' } })).stderr).toContain('\u001b[31m');
    expect((await proffer(args, { env: { FORCE_COLOR: '1', NO_COLOR: '1' } })).stderr).not.toContain(
      '\u001b',
    );
  });

  it('token prints a token and its hash for a configuration', async () => {
    const { stdout } = await proffer(['token', 'bob']);
    const [token = ''] = /pf_\S+/.exec(stdout) ?? [];
    const hash = createHash('sha256').update(token).digest('hex');
    expect(stdout).toContain(`participants:\n  bob:\n    tokens:\n      - sha256:${hash}`);
  });

  it('doctor approves a healthy machine, and reports a wrong configuration', async () => {
    await using folder = await temporaryFolder();
    const options = { cwd: folder.path, env: { PROFFER_LISTEN_HTTP: '127.0.0.1:0', PROFFER_URL: NOBODY } };
    const { stdout } = await proffer(['doctor', '--json'], options);
    const { findings } = JSON.parse(stdout) as { findings: { subject: string; state: string }[] };
    const states = Object.fromEntries(findings.map(({ subject, state }) => [subject, state]));
    expect(states).toMatchObject({ Node: 'good', journal: 'good', clock: 'good', gateway: 'warn' });
    const warned = await proffer(['doctor'], options);
    expect(warned).toMatchObject({ code: 0, stdout: expect.stringContaining('1 warning, see above.') });
    expect(warned.stdout).not.toContain('No problems found');
    const wrong = await proffer(['doctor', '--config', 'missing.yaml'], options);
    expect(wrong).toMatchObject({ code: 1, stdout: expect.stringContaining('✗ configuration') });
  });

  it('doctor checks the gateway of proffer.yaml, and is satisfied when it is running', async () => {
    await using folder = await temporaryFolder();
    const cwd = folder.path;
    await writeFile(join(cwd, 'proffer.yaml'), 'dev: true\n');
    const up = start(['up', '--port', '0', '--log-level', 'silent'], { cwd });
    const [, url = ''] = /HTTP +(http:\S+)/.exec(await up.until(/Ctrl-C stops it/)) ?? [];
    await writeFile(join(cwd, 'proffer.yaml'), `dev: true\nlisten: { http: "${new URL(url).host}" }\n`);
    const { code, stdout } = await proffer(['doctor'], { cwd });
    up.child.kill('SIGTERM');
    await up.ended;
    expect(stdout).toContain(`${url} is ready`);
    expect(stdout).toMatch(/\nNo problems found\.\n$/);
    expect(code).toBe(0);
  });

  it('the bash completion script is valid and offers commands', async () => {
    const { stdout } = await proffer(['completion', 'bash']);
    const complete = (...words: readonly string[]): string => {
      const line = `COMP_WORDS=(proffer ${words.join(' ')}); COMP_CWORD=${words.length}; _proffer`;
      return execFileSync('bash', ['-c', `${stdout}\n${line}; echo "\${COMPREPLY[@]}"`], {
        encoding: 'utf8',
      });
    };
    expect(complete('with')).toBe('withdraw\n');
    expect(complete('negotiate', 'ca')).toBe('cancel\n');
    expect(complete('negotiate', 'policy', 'sh')).toBe('show\n');
    expect(complete('negotiate', 'reject', 'SESSION', 'p1', '--te')).toBe('--terminal\n');
  });

  it('completes ids of pending proposals and sessions, but none that a shell would expand', async () => {
    await using gateway = await startDevGateway();
    const ids = ['p-one', 'p-two', '$(touch${IFS}pwned)', '`id`', 'p;x'];
    for (const id of ids) await gateway.run('propose', 'echo', '--arg', 'text=x', '--id', id, '--no-wait');
    const offered = await gateway.run('complete-ids', '--', 'approve', '--url', gateway.url, 'p');
    expect(offered).toMatchObject({ code: 0, stdout: 'p-one\np-two\n', stderr: '' });
    const started = await gateway.run('negotiate', 'start', 'x', '-p', 'a', '-p', 'b', '--as', 'a', '--json');
    const { sessionId } = JSON.parse(started.stdout) as { sessionId: string };
    const sessions = await gateway.run('complete-ids', '--', 'negotiate', 'show', '--as', 'a');
    expect(sessions.stdout).toBe(`${sessionId}\n`);
    expect(await runHere(['complete-ids', '--', 'show', '--url', NOBODY])).toEqual({
      code: 0,
      stdout: '',
      stderr: '',
    });
    const { stdout: script } = await gateway.run('completion', 'bash');
    const line = 'COMP_WORDS=(proffer approve p-t); COMP_CWORD=2; _proffer; echo "${COMPREPLY[@]}"';
    const stub = 'proffer() { [ "$*" = "complete-ids -- approve" ] && printf "p-one\\np-two\\n"; }';
    const completed = execFileSync('bash', ['-c', `${script}\n${stub}\n${line}`], { encoding: 'utf8' });
    expect(completed).toBe('p-two\n');
  });
});
