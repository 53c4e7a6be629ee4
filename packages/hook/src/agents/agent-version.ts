import { type JsonObject, type JsonValue, objectOf } from '@proffer/core/json';

/** Where to find an agent's version if its events do not contain it. */
export interface AgentTold {
  /** The variables of `VERSION_VARIABLES` that the agent set for its hook command. */
  readonly env: Readonly<Record<string, string>>;
  /** The first and the last entries of a JSON Lines file; none if it cannot be read. */
  readonly firstEntries: (path: string) => readonly JsonObject[];
  readonly lastEntries: (path: string) => readonly JsonObject[];
}

/**
 * Claude Code has its version in the environment of its commands (`claude-code_2-1-197_…`), and in
 * its transcript.
 */
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
