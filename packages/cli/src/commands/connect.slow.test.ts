import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { connect } from '@proffer/client';
import { createPinFile } from '@proffer/mcp';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { temporaryFolder } from '../testing/cli.js';
import { SERVER } from '../testing/guard-machine.js';
import { runHere } from '../testing/in-process.js';

/** A user whose Claude Code has the reference file server. This process plays Claude Code. */
let folder: Awaited<ReturnType<typeof temporaryFolder>>;
let env: Readonly<Record<string, string>>;
let guards: string;
beforeAll(async () => {
  folder = await temporaryFolder();
  guards = join(folder.path, 'p', 'guard');
  env = { HOME: folder.path, PROFFER_HOME: join(folder.path, 'p'), PATH: process.env['PATH'] ?? '' };
  mkdirSync(join(folder.path, 'files'));
  mkdirSync(guards, { recursive: true, mode: 0o700 });
  // Not the developer's own.
  writeFileSync(join(guards, 'port'), '0\n');
  createPinFile(join(guards, 'pins', 'filesystem.json')).save(
    new Map([['*', { definition: { name: '*', title: SERVER } }]]),
  );
  const filesystem = { command: process.execPath, args: [SERVER, join(folder.path, 'files')] };
  writeFileSync(join(folder.path, '.claude.json'), JSON.stringify({ mcpServers: { filesystem } }));
});
afterAll(async () => {
  const { pid } = JSON.parse(readFileSync(join(guards, 'hook', 'lock'), 'utf8')) as { readonly pid: number };
  process.kill(pid, 'SIGKILL');
  await folder[Symbol.asyncDispose]();
});

const settings = (name: string): unknown => JSON.parse(readFileSync(join(folder.path, name), 'utf8'));

/** What the hook answers about a call, if a person has a second for it. */
async function hookAbout(path: string): Promise<string> {
  const { hooks } = settings('.claude/settings.json') as {
    hooks: { PreToolUse: [{ hooks: [{ command: string }] }] };
  };
  const command = hooks.PreToolUse[0].hooks[0].command.replace('--wait 600', '--wait 1');
  const shell = spawn('/bin/sh', ['-c', command], { env, stdio: ['pipe', 'pipe', 'inherit'] });
  const call = {
    tool_name: 'mcp__filesystem__write_file',
    tool_input: { path, content: 'x' },
    tool_use_id: 't',
  };
  shell.stdin.end(
    JSON.stringify({
      session_id: 's',
      cwd: folder.path,
      hook_event_name: 'PreToolUse',
      permission_mode: 'default',
      ...call,
    }),
  );
  const [answer] = await Promise.all([text(shell.stdout), once(shell, 'close')]);
  const parsed = JSON.parse(answer) as { hookSpecificOutput: { permissionDecision: string } };
  return parsed.hookSpecificOutput.permissionDecision;
}

it('asks once about a call of a connected agent to a connected server, and starts the server as before', async () => {
  expect(await runHere(['connect', '--all'], env)).toMatchObject({ code: 0 });
  const path = join(folder.path, 'files', 'a.txt');
  // No guard runs yet, as in an agent that was started before: the hook asks.
  expect(await hookAbout(path)).toBe('ask');
  const { mcpServers } = settings('.claude.json') as {
    mcpServers: { filesystem: { command: string; args: string[] } };
  };
  const { filesystem } = mcpServers;
  const client = new Client({ name: 'claude-code', version: '1.0.0' });
  await client.connect(new StdioClientTransport({ ...filesystem, env: { ...env }, stderr: 'ignore' }));
  try {
    await client.listTools();
    await expect.poll(() => hookAbout(path), { timeout: 60_000 }).toBe('allow');
    expect(existsSync(path)).toBe(false);
    const url = `http://127.0.0.1:${readFileSync(join(guards, 'port'), 'utf8').trim()}`;
    const token = readFileSync(join(guards, 'reviewer.token'), 'utf8').trim();
    await using reviewer = await connect({ url, space: 'main', token });
    const asked = new Promise<void>((resolve) => {
      reviewer.onProposal(async (proposal) => {
        if (!JSON.stringify(proposal.params).includes('a.txt')) return;
        resolve();
        await proposal.fulfil();
      });
    });
    const written = client.callTool({ name: 'write_file', arguments: { path, content: 'x' } });
    await asked;
    expect(await written).not.toHaveProperty('isError', true);
    expect(readFileSync(path, 'utf8')).toBe('x');
  } finally {
    await client.close();
  }
  await expect.poll(() => hookAbout(path), { timeout: 60_000 }).toBe('ask');
});

it('names a settings file that is a pipe, and does not wait for it', async () => {
  mkdirSync(join(folder.path, '.gemini'));
  execFileSync('mkfifo', [join(folder.path, '.gemini', 'settings.json')]);
  const { stdout } = await runHere(['status'], env);
  expect(stdout).toMatch(/Gemini CLI.*not a regular file/);
  expect(await runHere(['connect', '--all'], env)).toMatchObject({ code: 0 });
});
