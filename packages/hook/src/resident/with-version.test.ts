import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import type { AgentId } from '../agents/index.js';
import { shellCall } from '../testing/calls.js';
import { withVersion } from './with-version.js';

const folder = mkdtempSync(join(tmpdir(), 'proffer-transcript-'));
afterAll(() => rmSync(folder, { recursive: true }));

function transcript(name: string, ...entries: readonly object[]): string {
  const path = join(folder, name);
  writeFileSync(path, entries.map((entry) => `${JSON.stringify(entry)}\n`).join(''));
  return path;
}
const versionOf = (agent: AgentId, event: object, env: Record<string, string> = {}): string | undefined =>
  withVersion(shellCall('ls', { agent }), Buffer.from(JSON.stringify(event)), env).version;

describe("an agent's version", () => {
  it('comes from the environment of its hooks', () => {
    expect(versionOf('claude-code', {}, { AI_AGENT: 'claude-code_2-1-197_harness' })).toBe('2.1.197');
    expect(versionOf('copilot-cli', {}, { COPILOT_CLI_BINARY_VERSION: '1.0.102' })).toBe('1.0.102');
  });

  it('comes from its transcript, if the environment has none', () => {
    const claude = transcript('claude', { type: 'queue-operation' }, { type: 'user', version: '2.1.197' });
    expect(versionOf('claude-code', { transcript_path: claude })).toBe('2.1.197');
    const codex = transcript('codex', { type: 'session_meta', payload: { cli_version: '0.169.0' } });
    expect(versionOf('codex', { transcript_path: codex })).toBe('0.169.0');
  });

  it('is not guessed', () => {
    // An agent that runs inside another has the variables of both.
    expect(versionOf('copilot-cli', {}, { AI_AGENT: 'claude-code_2-1-197_harness' })).toBeUndefined();
    expect(versionOf('claude-code', {}, { AI_AGENT: 'another_1-2-3' })).toBeUndefined();
    expect(versionOf('gemini-cli', {}, { AI_AGENT: 'claude-code_2-1-197_harness' })).toBeUndefined();
    expect(versionOf('codex', { transcript_path: join(folder, 'none') })).toBeUndefined();
    expect(versionOf('codex', { transcript_path: folder })).toBeUndefined();
    const odd = transcript('odd', { payload: { cli_version: '1\u202e2 <b>' } });
    expect(versionOf('codex', { transcript_path: odd })).toBeUndefined();
  });
});
