import { type CapabilitySource, parseCapability } from '../../capability/capability.js';
import { type CompiledCapabilities, compileCapabilities } from '../../capability/compiled-capabilities.js';
import type { Envelope } from '../../envelope/envelope.js';
import type { JsonObject } from '../../json/json.js';

/**
 * Something that a participant may do for a while because someone granted it (O-41). Times in
 * milliseconds.
 */
export type Grant = {
  /** The id of the granting message. */
  readonly id: string;
  readonly granter: string;
  readonly to: string;
  readonly capabilities: readonly CapabilitySource[];
  /** The granter's own capabilities when it was granted. */
  readonly within: readonly CapabilitySource[];
  readonly until?: number;
  /** How many messages it covers, and how many are left. Absent: unlimited. */
  readonly uses?: number;
  readonly left?: number;
  /** The proposal that the last use was counted for, if any. */
  readonly spentOn?: string | undefined;
  /**
   * `true`: it ends when the participant leaves the space. A text: it covers only proposals whose
   * `origin` names this session of the participant.
   */
  readonly session?: true | string;
  /** The person who granted it, if the operator says who it is (O-30). */
  readonly subject?: string;
  /** The granter was configured: if it no longer is, the grant is void. */
  readonly configured?: true;
  readonly reason?: string;
  readonly at: number;
};

/** A message that a grant may cover, and its sender's session, if it names one. */
export type Grantable = Pick<Envelope, 'from' | 'kind' | 'payload'> & {
  readonly session?: string | undefined;
};

export const NO_GRANTS: readonly Grant[] = [];

/** Whether a grant is in force at this time. Used-up, revoked and ended ones no longer exist. */
export function isInForce({ until }: Pick<Grant, 'until'>, now: number): boolean {
  return until === undefined || now < until;
}

/** A grant as it is shown to people and in the welcome. */
export function viewGrant({
  within: _within,
  configured: _configured,
  spentOn: _spentOn,
  ...shown
}: Grant): JsonObject {
  return shown;
}

const compiled = new WeakMap<readonly CapabilitySource[], CompiledCapabilities>();

/** Capabilities from a record, parsed once. Invalid ones allow nothing. */
export function compiledSources(sources: readonly CapabilitySource[]): CompiledCapabilities {
  let known = compiled.get(sources);
  if (known === undefined) {
    known = compileCapabilities(
      sources.flatMap((source) => {
        const parsed = parseCapability(source);
        return parsed.ok ? [parsed.value] : [];
      }),
    );
    compiled.set(sources, known);
  }
  return known;
}
