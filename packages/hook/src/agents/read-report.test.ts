import type { JsonObject } from '@proffer/core/json';
import { describe, expect, it } from 'vitest';
import { AGENTS, type AgentId, type CallReport } from './index.js';

const OK: CallReport = { type: 'ok' };
const failed = (why: string): CallReport => ({ type: 'failed', why });
const notRun = (why: string): CallReport => ({ type: 'not run', why });
const shell = (llmContent: string) => ({
  tool_name: 'run_shell_command',
  tool_response: { llmContent, returnDisplay: '' },
});
const bash = (text: string, resultType = 'success') => ({
  toolResult: { resultType, textResultForLlm: text },
});

type Row = readonly [agent: AgentId, event: string, said: JsonObject, report: CallReport];

const ROWS: readonly Row[] = [
  ['claude-code', 'PostToolUse', { tool_response: { stdout: '', interrupted: false } }, OK],
  ['claude-code', 'PostToolUse', { tool_response: { interrupted: true } }, failed('It was interrupted.')],
  [
    'claude-code',
    'PostToolUse',
    { tool_response: { backgroundTaskId: 'b1' } },
    { type: 'ok', note: 'It was started in the background.' },
  ],
  ['claude-code', 'PostToolUse', { tool_response: [{ type: 'text', text: 'done' }] }, OK],
  ['claude-code', 'PostToolUse', { tool_response: { isError: true } }, failed('The tool reported an error.')],
  ['claude-code', 'PostToolUseFailure', { error: 'Exit code 3\nout' }, failed('Exit code 3')],
  ['claude-code', 'PostToolUseFailure', { error: 'x', is_interrupt: true }, failed('It was interrupted.')],
  ['claude-code', 'PostToolUseFailure', {}, failed('')],
  ['codex', 'PostToolUse', { tool_name: 'apply_patch', tool_response: 'Success.' }, OK],
  [
    'codex',
    'PostToolUse',
    { tool_name: 'mcp__x__y', tool_response: { is_error: true } },
    failed('The tool reported an error.'),
  ],
  [
    'codex',
    'PostToolUse',
    { tool_name: 'Bash', tool_response: 'out' },
    { type: 'ok', note: 'Codex CLI does not say whether the command succeeded.' },
  ],
  [
    'gemini-cli',
    'AfterTool',
    shell('<untrusted_context>\nOutput: x\nProcess Group PGID: 7\n</untrusted_context>'),
    OK,
  ],
  ['gemini-cli', 'AfterTool', shell('Output: x\nExit Code: 3\nProcess Group PGID: 7'), failed('Exit code 3')],
  [
    'gemini-cli',
    'AfterTool',
    shell('<untrusted_context>\nOutput: (empty)\nSignal: 9\nProcess Group PGID: 7\n</untrusted_context>'),
    failed('Signal 9'),
  ],
  ['gemini-cli', 'AfterTool', shell('Output: x\nExit Code: 3\nmore output\nProcess Group PGID: 7'), OK],
  [
    'gemini-cli',
    'AfterTool',
    shell('Command was cancelled by user before it could complete. There was no output.'),
    failed('Command was cancelled by user before it could complete. There was no output.'),
  ],
  [
    'gemini-cli',
    'AfterTool',
    shell('Command was cancelled by user before it could start.'),
    notRun('Command was cancelled by user before it could start.'),
  ],
  ['gemini-cli', 'AfterTool', { tool_name: 'write_file', tool_response: { llmContent: 'Exit Code: 3' } }, OK],
  ['gemini-cli', 'AfterTool', { tool_response: { error: { message: 'no file' } } }, failed('no file')],
  ['cursor', 'postToolUse', { tool_output: '{"exitCode":0}' }, OK],
  ['cursor', 'postToolUse', { tool_output: '{"exitCode":3}' }, failed('Exit code 3')],
  ['cursor', 'postToolUse', { tool_output: 'plain text' }, OK],
  ['cursor', 'postToolUseFailure', { error_message: 'late', failure_type: 'timeout' }, failed('late')],
  ['cursor', 'postToolUseFailure', { error_message: 'no', failure_type: 'permission_denied' }, notRun('no')],
  ['copilot-cli', 'postToolUse', bash('out\n<shellId: 0 completed with exit code 0>'), OK],
  ['copilot-cli', 'postToolUse', bash('out\n<shellId: 0 completed with exit code 3>'), failed('Exit code 3')],
  ['copilot-cli', 'postToolUse', bash('<exited with exit code 1>\nno, that was output'), OK],
  ['copilot-cli', 'postToolUse', bash('cannot', 'failure'), failed('cannot')],
  ['copilot-cli', 'postToolUse', bash('not allowed', 'denied'), notRun('not allowed')],
  ['copilot-cli', 'postToolUseFailure', { error: 'not executed' }, failed('not executed')],
];

describe('the reports of agents', () => {
  it.each(ROWS)('O-46: %s, %s: %j', (agent, event, said, report) => {
    expect(AGENTS[agent].readReport(said, event, { lastEntries: () => [] })).toEqual(report);
  });

  it('O-46: keep the first line of a failure, cut to 200 characters', () => {
    const error = `${'x'.repeat(300)}\nmore`;
    expect(
      AGENTS['claude-code'].readReport({ error }, 'PostToolUseFailure', { lastEntries: () => [] }),
    ).toEqual(failed(`${'x'.repeat(200)}…`));
  });
});
