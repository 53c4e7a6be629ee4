import { type JsonObject, type JsonValue, objectOf } from '@proffer/core/json';

/** What may tell an agent's version where its events do not. */
export interface AgentTold {
  /** The variables of `VERSION_VARIABLES` that the agent gave the command of its hook. */
  readonly env: Readonly<Record<string, string>>;
  /** The first entries of a file of JSON lines; none if it cannot be read. */
  readonly firstEntries: (path: string) => readonly JsonObject[];
}

/** Claude Code has its version in the environment of its commands (`claude-code_2-1-197_…`), and in its transcript. */
export function claudeVersion({ transcript_path: path }: JsonObject, told: AgentTold): string | undefined {
  const [, ...numbers] = /^claude-code_(\d+)-(\d+)-(\d+)(?:_|$)/.exec(told.env['AI_AGENT'] ?? '') ?? [];
  return numbers.length > 0 ? numbers.join('.') : inTranscript(path, told, ({ version }) => version);
}

/** Codex has its version in the first entry of its transcript. */
export function codexVersion({ transcript_path: path }: JsonObject, told: AgentTold): string | undefined {
  return inTranscript(path, told, ({ payload }) => objectOf(payload)['cli_version']);
}

export function copilotVersion(_event: JsonObject, { env }: AgentTold): string | undefined {
  return env['COPILOT_CLI_BINARY_VERSION'];
}

function inTranscript(
  path: JsonValue | undefined,
  { firstEntries }: AgentTold,
  pick: (entry: JsonObject) => JsonValue | undefined,
): string | undefined {
  if (typeof path !== 'string') return undefined;
  return firstEntries(path)
    .map(pick)
    .find((value) => typeof value === 'string');
}
