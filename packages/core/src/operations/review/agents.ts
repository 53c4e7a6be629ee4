import { quote } from '../../json/describe.js';
import { isJsonObject, type JsonObject, type JsonValue } from '../../json/json.js';
import { type Refusal, refuse } from '../../refusal/refusal.js';
import type { ProposalContext } from '../context.js';
import type { Proposal } from '../proposal/proposal.js';
import { isDecisiveRejection } from '../proposal/rejection.js';
import type { ActedAlone, ProposalRecord } from '../records.js';
import { noticeTo } from '../routing/notice.js';
import type { SpaceState } from '../space/space.js';
import type { StreamAppend } from '../space/space-decision.js';
import { isAmong, type Person, type ReviewEntry } from './policy.js';

/** What an argument may be. */
export type ArgumentRange = {
  readonly min?: number;
  readonly max?: number;
  readonly oneOf?: readonly JsonValue[];
};

/** What agents may approve alone, whatever an entry requires of people (O-28). */
export type AgentLimits = {
  /** Which agents: names and `role:…`. */
  readonly from: readonly string[];
  /** How many calls each of them may approve in an hour, under this entry. */
  readonly perHour: number;
  /**
   * The ranges of arguments: each one named here must be present, and in its range. Dotted names are
   * paths: `order.amount`.
   */
  readonly within: Readonly<Record<string, ArgumentRange>>;
};

/** An agent approved a call alone. */
export type AloneUse = { readonly entry: string; readonly proposal: string; readonly at: number };

const HOUR = 3_600_000;

/** The uses of the last hour: only they count. */
export function ofLastHour(uses: readonly AloneUse[], now: number): readonly AloneUse[] {
  return uses.filter(({ at }) => now - at < HOUR);
}

/** Whether a participant is an agent whose approvals an entry limits. */
export function isAgent({ agents }: Pick<ReviewEntry, 'agents'>, person: Person): boolean {
  return agents !== undefined && isAmong(agents.from, person);
}

/**
 * Why an agent may not approve a call alone: an argument is out of range, someone whose approval
 * counts has rejected it, or the hourly limit is reached. Nothing if it may. A call that it approved
 * before counts once.
 */
export function checkAlone(
  proposal: Proposal,
  {
    entry,
    name,
    params,
  }: { readonly entry: ReviewEntry; readonly name: string; readonly params: JsonValue | undefined },
  { space, now }: ProposalContext,
): Refusal | undefined {
  const { agents, name: entryName } = entry;
  if (agents === undefined) return undefined;
  const limit = (why: string, sentence: string, details: JsonObject): Refusal =>
    refuse('agent_limit', sentence, { proposal: proposal.id, entry: entryName, why, ...details });
  const args = isJsonObject(params) && isJsonObject(params['arguments']) ? params['arguments'] : {};
  for (const [argument, range] of Object.entries(agents.within)) {
    const values = valuesAt(args, argument);
    const found = values.find((value) => !isWithin(value, range));
    if (values.length > 0 && found === undefined) continue;
    const what =
      found === undefined ? 'is missing' : 'is outside the range that agents may approve without people';
    return limit('range', `The argument ${quote(argument)} ${what}.`, { argument, found, expected: range });
  }
  for (const [by, rejection] of proposal.rejections) {
    if (isDecisiveRejection(rejection))
      return limit('rejected', `${quote(by)} has rejected ${quote(proposal.id)}.`, { by });
  }
  const { alone = [] } = space.participants.get(name) ?? {};
  const used = ofLastHour(alone, now).filter((use) => use.entry === entryName);
  if (used.length < agents.perHour || used.some((use) => use.proposal === proposal.id)) return undefined;
  const { perHour } = agents;
  const sentence = `${quote(name)} has approved ${used.length} of these calls in the last hour; the limit is ${perHour}.`;
  return limit('per_hour', sentence, { perHour, again: (used[0]?.at ?? now) + HOUR });
}

function isWithin(found: JsonValue, { min, max, oneOf }: ArgumentRange): boolean {
  if (oneOf !== undefined && !oneOf.includes(found)) return false;
  if (min === undefined && max === undefined) return oneOf !== undefined;
  return typeof found === 'number' && found >= (min ?? found) && found <= (max ?? found);
}

/**
 * The value of an argument by its name, and by the path to it. If both exist, it is unknown which of
 * them the tool reads: both must be in range.
 */
function valuesAt(args: JsonObject, name: string): readonly JsonValue[] {
  const steps = name.split('.');
  const nested = steps.length === 1 ? undefined : steps.reduce<JsonValue | undefined>(valueOf, args);
  return [valueOf(args, name), nested].filter((value) => value !== undefined);
}

function valueOf(value: JsonValue | undefined, key: string): JsonValue | undefined {
  return isJsonObject(value) && Object.hasOwn(value, key) ? value[key] : undefined;
}

/**
 * What must be in the journal before an agent's approval counts alone (O-28): one more use. It goes
 * to the agent's own stream, so that two gateways cannot both take the last one, and it is recorded
 * before the approval is appended: a crash in between wastes one, and never adds one. `undefined` if
 * no agent acts alone, or this call is already counted.
 */
export function countAlone(space: SpaceState, records: readonly ProposalRecord[]): StreamAppend | undefined {
  const record = records.find(({ facts }) => 'alone' in facts && facts.alone);
  if (record === undefined || !('entry' in record.facts) || record.facts.entry === undefined)
    return undefined;
  const { time } = record;
  const participant = record.type === 'counter_accepted' ? record.facts.author : record.principal;
  const { entry, proposal: about } = record.facts;
  const agent = space.participants.get(participant);
  if (agent?.alone?.some((use) => use.proposal === about && use.entry === entry) === true) return undefined;
  const payload = { notice: 'acted_alone', entry, proposal: about, by: participant } as const;
  const { stream, expectedVersion, noticed } = noticeTo(space, { participant, about, time, payload });
  const counted: ActedAlone = { type: 'acted_alone', ...noticed, facts: { participant, entry, about } };
  return { stream, expectedVersion, records: [counted] };
}
