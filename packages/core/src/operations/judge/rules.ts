import { type CapabilitySource, parseCapability } from '../../capability/capability.js';
import { type CompiledCapabilities, compileCapabilities } from '../../capability/compiled-capabilities.js';
import type { Decider } from '../../decision.js';
import { GATEWAY } from '../../envelope/envelope.js';
import { sameJson } from '../../json/canonical.js';
import { defined } from '../../json/defined.js';
import type { RecordContent } from '../../record/record.js';
import type { ParticipantRights } from '../context.js';
import { invitationInForce, invitedCapabilities, invitedStanding } from '../membership/invitation.js';
import { type SpaceSettings, spaceSettings } from '../settings.js';
import type { SpaceState } from '../space/space.js';

/** The journal's space with the rules that were in force; in no space's feed. */
export const RULES_SPACE = 'system:rules';

/** The stream with the rules of a space. */
export function rulesStream(space: string): string {
  return `${RULES_SPACE}/${space}`;
}

/** What the operator allows a participant, as it is written. */
export type WrittenRights = {
  readonly capabilities: readonly CapabilitySource[];
  readonly isConfigured?: true;
  readonly isObserver?: true;
  readonly runsOwnCalls?: true;
  readonly reviewOnly?: true;
  readonly roles?: readonly string[];
  readonly subject?: string;
  readonly worksFor?: string;
};

/** The part of an operator's configuration that decisions in a space depend on. It holds no secrets, and no tokens. */
export type WrittenRules = {
  readonly settings: SpaceSettings;
  /** By name. */
  readonly participants: Readonly<Record<string, WrittenRights>>;
  /** What those may do at most whom the configuration does not name. Absent: nobody else is let in. */
  readonly others?: WrittenRights;
};

/** From here on, these rules were in force. */
export type RulesRecord = RecordContent & {
  readonly type: 'rules_changed';
  readonly facts: { readonly rules: WrittenRules };
};

/** The rules of a space: recorded again only when they change, so that gateways with the same ones record them once. */
export const rulesDecider: Decider<
  WrittenRules | undefined,
  WrittenRules,
  RulesRecord,
  { readonly now: number }
> = {
  initial: undefined,
  decide(before, rules, { now }) {
    if (before !== undefined && sameJson(before, rules)) return { unchanged: 'duplicate' };
    return {
      records: [{ type: 'rules_changed', time: now, principal: GATEWAY, envelope: {}, facts: { rules } }],
    };
  },
  evolve: (_, { facts: { rules } }) => rules,
};

/** Whether a record says which rules were in force from there on. */
export function isRulesRecord(record: RecordContent): record is RulesRecord {
  return record.type === 'rules_changed';
}

/** Rules as decisions need them: a participant's rights by its name. `undefined` for those who may not come. */
export interface RulesInForce {
  readonly settings: SpaceSettings;
  rightsOf(space: SpaceState, name: string, now: number): ParticipantRights | undefined;
}

/** Compiles recorded rules. */
export function rulesInForce({ settings, participants, others }: WrittenRules): RulesInForce {
  const known = new Map<string, ParticipantRights>();
  const unlisted = others && compileRights(others);
  const listed = (name: string): ParticipantRights | undefined => {
    const written = Object.hasOwn(participants, name) ? participants[name] : undefined;
    if (written === undefined) return undefined;
    const found = known.get(name) ?? compileRights(written);
    known.set(name, found);
    return found;
  };
  return {
    settings: spaceSettings(settings),
    rightsOf(space, name, now) {
      const own = listed(name);
      if (own !== undefined) return own;
      const invitation = invitationInForce(space, name, now);
      if (invitation === undefined) return unlisted;
      const inviter = listed(invitation.inviter) ?? unlisted;
      const capabilities = invitedCapabilities(invitation, inviter);
      return (
        capabilities && {
          capabilities: compileSources(capabilities),
          ...invitedStanding(invitation, inviter),
        }
      );
    },
  };
}

function compileRights(written: WrittenRights): ParticipantRights {
  return { ...written, capabilities: compileSources(written.capabilities) };
}

export function compileSources(sources: readonly CapabilitySource[]): CompiledCapabilities {
  return compileCapabilities(
    sources.flatMap((source) => {
      const parsed = parseCapability(source);
      return parsed.ok ? [parsed.value] : [];
    }),
  );
}

const flag = (value: boolean | undefined): true | undefined => (value === true ? true : undefined);

/** The rights of a participant, as they are recorded. */
export function writeRights({
  capabilities,
  isConfigured,
  isObserver,
  runsOwnCalls,
  reviewOnly,
  roles,
  subject,
  worksFor,
}: ParticipantRights): WrittenRights {
  return {
    capabilities: capabilities.sources,
    ...defined({
      isConfigured: flag(isConfigured),
      isObserver: flag(isObserver),
      runsOwnCalls: flag(runsOwnCalls),
      reviewOnly: flag(reviewOnly),
      roles: roles?.length === 0 ? undefined : roles,
      subject,
      worksFor,
    }),
  };
}
