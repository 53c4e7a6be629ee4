import type { JsonObject, JsonValue } from '../../json/json.js';
import type { Refusal } from '../../refusal/refusal.js';
import { type Grant, grantsAbout, viewGrant } from '../grants/grant.js';
import { keysInForce, viewKey } from '../keys/key.js';
import { viewPause } from '../pause/pause.js';
import type { Proposal } from '../proposal/proposal.js';
import { viewProposal } from '../proposal/proposal-view.js';
import { seesProposal } from '../routing/visibility.js';
import type { SpaceState } from './space.js';

/** A participant as others see it. */
export interface MemberView {
  readonly name: string;
  /** The participant's capabilities as configured. */
  readonly capabilities: readonly JsonValue[];
}

/** The maximum number of pending proposals in a welcome, oldest first; the rest can be requested. */
export const WELCOME_PROPOSALS = 100;

/**
 * The list ends with the proposal that brings it to this many characters: every connection costs a
 * welcome (I-7).
 */
const WELCOME_SIZE = 262_144;

/**
 * The payload of `system.welcome`: who you are, who else is here, what is pending, and where you are
 * (O-27).
 *
 * @param now - grants that have ended by then are left out. Default: all are shown
 * @param sees - whether the participant may see a proposal (O-21). Default: the view of a
 * non-observer
 * @param view - how a proposal is shown; {@link viewPending} adds who would run it. Default:
 * `viewProposal`
 */
export function welcomePayload(
  space: SpaceState,
  you: MemberView,
  {
    others,
    seq,
    now = 0,
    view = viewProposal,
    sees = (proposal) => seesProposal(proposal, { name: you.name, observer: false }, space.settings),
  }: {
    readonly others: readonly MemberView[];
    readonly seq: number;
    readonly now?: number;
    readonly sees?: (proposal: Proposal) => boolean;
    readonly view?: (proposal: Proposal) => JsonObject;
  },
): JsonObject {
  const pending: JsonObject[] = [];
  let size = 0;
  let more = 0;
  for (const proposal of space.proposals.values()) {
    if (proposal.phase !== 'pending' || !sees(proposal)) continue;
    if (pending.length === WELCOME_PROPOSALS || size >= WELCOME_SIZE) {
      more++;
      continue;
    }
    const shown = view(proposal);
    size += JSON.stringify(shown).length;
    pending.push(shown);
  }
  return {
    space: space.settings.name,
    you: describeMember(space, you),
    participants: others.map((member) => describeMember(space, member)),
    ...shownGrants(grantsAbout(space, you.name, now)),
    ...(space.settings.signed === true ? { signed: true } : {}),
    ...(space.pause?.isPaused === true ? { paused: viewPause(space.pause) } : {}),
    pending,
    morePending: more,
    seq,
  };
}

const NO_GRANTS = {};

function shownGrants(grants: readonly Grant[]): JsonObject {
  return grants.length === 0 ? NO_GRANTS : { grants: grants.map(viewGrant) };
}

/** What `system.presence` is about: somebody is here, is gone, or may come (O-51). */
export type PresenceEvent = 'join' | 'leave' | 'invited';

/** The payload of `system.presence` when a participant joins, leaves or is invited (O-26, O-51). */
export function presencePayload(space: SpaceState, event: PresenceEvent, member: MemberView): JsonObject {
  return { event, participant: describeMember(space, member) };
}

/**
 * The payload of `system.error`: the code, a sentence for people, and the facts for programs (O-5,
 * O-9).
 */
export function errorPayload({ code, message, details }: Refusal): JsonObject {
  return { ...details, error: code, message };
}

function describeMember(space: SpaceState, { name, capabilities }: MemberView): JsonObject {
  const { serves, delegation } = space.participants.get(name) ?? {};
  const keys = keysInForce(space, name);
  const handed = delegation && { to: delegation.to, until: delegation.until };
  return {
    id: name,
    capabilities,
    ...(serves === undefined ? {} : { serves }),
    ...(handed === undefined ? {} : { delegation: handed }),
    ...(keys.length === 0 ? {} : { keys: keys.map(viewKey) }),
  };
}
