import type { JsonObject } from '@proffer/core/json';
import { AGENTS, type AgentId } from '../agents/index.js';

/** How a command ended. */
export type TestEnd = 'ok' | 'failed';

interface TestReport {
  readonly event: string;
  readonly input: JsonObject;
}

/** What an agent sends when a command has ended, as seen with the real ones; for Cursor, as documented. */
export function reportOf(agent: AgentId, folder: string, command: string, end: TestEnd): TestReport {
  const isOk = end === 'ok';
  const asked = AGENTS[agent].sample(folder, command);
  const report = (event: string, more: JsonObject): TestReport => ({
    event,
    input: { ...asked, ...('hook_event_name' in asked ? { hook_event_name: event } : {}), ...more },
  });
  switch (agent) {
    case 'claude-code':
      return isOk
        ? report('PostToolUse', { tool_response: { stdout: 'out', stderr: '', interrupted: false } })
        : report('PostToolUseFailure', { error: 'Exit code 3\nout', is_interrupt: false });
    case 'codex':
      // The exit code is in its transcript.
      return report('PostToolUse', { tool_response: 'out\n' });
    case 'gemini-cli': {
      const ended = isOk ? '' : 'Exit Code: 3\n';
      const llmContent = `<untrusted_context>\nOutput: out\n${ended}Process Group PGID: 7\n</untrusted_context>`;
      return report('AfterTool', { tool_response: { llmContent, returnDisplay: 'out' } });
    }
    case 'cursor':
      return isOk
        ? report('postToolUse', { tool_output: '{"exitCode":0,"stdout":"out"}', duration: 5 })
        : report('postToolUseFailure', { error_message: 'Exit code 3', failure_type: 'error' });
    case 'copilot-cli': {
      const text = `out\n<shellId: 0 completed with exit code ${isOk ? 0 : 3}>`;
      return report('postToolUse', { toolResult: { resultType: 'success', textResultForLlm: text } });
    }
  }
}
