import { type Capability, parseCapability } from '@proffer/core/capability';
import type { ParticipantConfig } from './config.js';
import { completeFlags, DEFAULT_NEGOTIATION_FLAGS } from './fields/negotiation-fields.js';

/**
 * The capabilities of an agent that proposes what it may not do itself: also to answer requests, report and
 * chat. It does not announce tools, so it is never asked to run what others propose.
 */
export const PROPOSER_CAPABILITIES: readonly string[] = [
  'mcp.proposal.*',
  'mcpx.withdraw.proposal',
  'mcpx.renew.proposal',
  'mcpx.counter.proposal',
  'mcpx.accept.counter',
  'mcpx.status.proposal',
  'mcp.response.*',
  'chat.message',
];

/** The capabilities of a guard or a hook, which also announces its tools and rules. In dev mode anyone may be one. */
export const GUARD_CAPABILITIES: readonly string[] = [...PROPOSER_CAPABILITIES, 'mcpx.announce.*'];

/** The capabilities of a participant that runs operations for others, and reports when it cannot. */
export const EXECUTOR_CAPABILITIES: readonly string[] = [
  'mcp.response.*',
  'mcpx.announce.*',
  'mcpx.status.proposal',
  'mcpx.reject.proposal',
  'chat.message',
];

/**
 * The capabilities of a participant that decides by rules: run what they allow, say why, reject what they
 * deny, publish them.
 */
export const STEWARD_CAPABILITIES: readonly string[] = [
  'mcp.request.*',
  'mcpx.status.proposal',
  'mcpx.reject.proposal',
  'mcpx.announce.rules',
];

/** Everything: above all, fulfilling and rejecting proposals. */
export const REVIEWER_CAPABILITIES: readonly string[] = ['*'];

/** In dev mode, the participant whose rights an unconfigured name has; it may also reject proposals. */
export const DEV_STRANGER = 'agent';

/** The participant whose rights `human` has in dev mode, unless it is configured: the examples of MCPx call it so. */
const HUMAN = ['human', 'reviewer'] as const;

/** Whose rights a name has in dev mode, and which ones in addition. */
export function devRole(
  name: string,
  participants: ReadonlyMap<string, ParticipantConfig>,
): { readonly role: string; readonly participant: ParticipantConfig | undefined } {
  const [alias, meant] = HUMAN;
  if (participants.has(name)) return { role: name, participant: participants.get(name) };
  if (name === alias) return { role: meant, participant: participants.get(meant) };
  const agent = participants.get(DEV_STRANGER);
  if (agent === undefined) return { role: '', participant: undefined };
  const spaces = new Map(
    Array.from(agent.spaces, ([space, own]) => [space, [...own, ...parse('mcpx.reject.proposal')]]),
  );
  return { role: '', participant: { ...agent, spaces } };
}

/** The participants of dev mode, in every space, without configuration. */
export function devParticipants(spaces: Iterable<string>): ReadonlyMap<string, ParticipantConfig> {
  const names = [...spaces];
  // In dev mode every token may act for everyone.
  const anybody = completeFlags(DEFAULT_NEGOTIATION_FLAGS, true);
  const participant = (sources: readonly string[]): ParticipantConfig => ({
    spaces: new Map(names.map((space) => [space, sources.flatMap(parse)])),
    observer: false,
    runsOwnCalls: false,
    reviewOnly: false,
    roles: [],
    negotiation: anybody,
  });
  const everywhere = { ...anybody, isObserver: true, canManageModeRegistry: true };
  return new Map([
    [DEV_STRANGER, participant(GUARD_CAPABILITIES)],
    ['reviewer', { ...participant(REVIEWER_CAPABILITIES), observer: true, negotiation: everywhere }],
    ['steward', { ...participant(STEWARD_CAPABILITIES), observer: true }],
    ['tools', participant(EXECUTOR_CAPABILITIES)],
  ]);
}

function parse(source: string): readonly Capability[] {
  const parsed = parseCapability(source);
  return parsed.ok ? [parsed.value] : [];
}
