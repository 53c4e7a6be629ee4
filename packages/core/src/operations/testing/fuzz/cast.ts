import { type CapabilitySource, parseCapability } from '../../../capability/capability.js';
import { type CompiledCapabilities, compileCapabilities } from '../../../capability/compiled-capabilities.js';
import { defined } from '../../../json/defined.js';
import type { ParticipantRights } from '../../context.js';

/** What a participant may do, in terms that the judge reads without core's patterns. */
interface Part {
  readonly calls: 'all' | 'writes' | 'none';
  readonly roles?: readonly string[];
  /** The person, if it is another name's. */
  readonly person?: string;
  readonly worksFor?: string;
  readonly reviewOnly?: true;
}

const CAST: Readonly<Record<string, Part>> = {
  ann: { calls: 'all', roles: ['boss'] },
  bob: { calls: 'all' },
  phone: { calls: 'all', person: 'bob', reviewOnly: true },
  cleo: { calls: 'writes' },
  dora: { calls: 'all', roles: ['boss'] },
  bot: { calls: 'all' },
  agent: { calls: 'none', worksFor: 'ann' },
  helper: { calls: 'all', person: 'cleo', roles: ['staff'] },
  tools: { calls: 'none' },
  spare: { calls: 'none' },
};

export const DECIDERS = ['ann', 'bob', 'phone', 'cleo', 'dora', 'bot'] as const;
export const PROPOSERS = ['agent', 'helper'] as const;
export const EXECUTORS = ['tools', 'spare'] as const;

/** `open`: everyone may send everything, so that only policies and persons restrict. */
export type Rights = 'open' | 'narrow';

export const personOf = (name: string): string => CAST[name]?.person ?? name;
export const rolesOf = (name: string): readonly string[] => CAST[name]?.roles ?? [];
export const worksFor = (name: string): string | undefined => CAST[name]?.worksFor;
export const isReviewOnly = (name: string): boolean => CAST[name]?.reviewOnly === true;

/** Whether a participant may call a tool in its own right. */
export function mayCall(rights: Rights, name: string, tool: string): boolean {
  const { calls } = CAST[name] ?? { calls: 'none' };
  if (rights === 'open' || calls === 'all') return true;
  return calls === 'writes' && tool.startsWith('write_');
}

/** Whether a participant is in a list of names and `role:…`. */
export function isIn(list: readonly string[], name: string): boolean {
  return list.includes(name) || rolesOf(name).some((role) => list.includes(`role:${role}`));
}

const REVIEWING = ['approve.proposal', 'counter.proposal', 'reject.proposal', 'delegate.review'];
const PROPOSING = ['renew.proposal', 'withdraw.proposal', 'accept.counter', 'counter.proposal'];
const LENDING = ['grant.capability', 'revoke.capability', 'pause.approvals', 'resume.approvals'];
const MINOR: readonly CapabilitySource[] = [
  'mcp.proposal.*',
  'mcp.response*',
  'mcpx.announce.*',
  'chat.message',
  'mcpx.status.proposal',
];
const CALLS = { all: ['mcp.request.*'], writes: ['mcp.request.tools/call:write_*'], none: [] };

function sourcesOf(rights: Rights, { calls }: Part): readonly CapabilitySource[] {
  if (rights === 'open') return ['*'];
  const more = calls === 'none' ? PROPOSING : [...PROPOSING, ...REVIEWING, ...LENDING];
  return [...MINOR, ...CALLS[calls], ...more.map((what) => `mcpx.${what}`)];
}

function compile(sources: readonly CapabilitySource[]): CompiledCapabilities {
  return compileCapabilities(
    sources.flatMap((source) => {
      const parsed = parseCapability(source);
      return parsed.ok ? [parsed.value] : [];
    }),
  );
}

function rightsIn(rights: Rights): ReadonlyMap<string, ParticipantRights> {
  return new Map(
    Object.entries(CAST).map(([name, part]) => {
      const { roles, person: subject, worksFor: patron, reviewOnly } = part;
      const given: ParticipantRights = {
        capabilities: compile(sourcesOf(rights, part)),
        isConfigured: true,
        ...defined({ roles, subject, worksFor: patron, reviewOnly }),
      };
      return [name, given];
    }),
  );
}

const RIGHTS = { open: rightsIn('open'), narrow: rightsIn('narrow') };

/** All of them. */
export const NAMES: readonly string[] = Object.keys(CAST);

/** What core is told about a participant. */
export function rightsOf(rights: Rights, name: string): ParticipantRights | undefined {
  return RIGHTS[rights].get(name);
}
