import { objectOf, textOf, textsIn } from '../json/fields.js';
import { isJsonArray, type JsonObject } from '../json/json.js';
import { GAVE_UP } from '../operations/proposal/ending.js';
import type { ProposalRecord } from '../operations/records.js';
import { describeNotice } from './notice.js';
import { describeReason, describeStatus } from './reason.js';
import type { Tone } from './state.js';
import { allOf, type Voice } from './voice.js';

/** One step in the life of a proposal, as the gateway reports it. */
export interface Step {
  /** The record's type, or one of a newer gateway. */
  readonly type: string;
  readonly facts: JsonObject;
  /** What was said, as it was delivered. */
  readonly payload: JsonObject;
  /** The addressees of the message. */
  readonly to?: readonly string[];
}

/** A step in words. */
export interface StepWords {
  /** After the name of who did it; a whole sentence if the gateway did. */
  readonly what: string;
  /** Their own words, if they said more. Not made visible. */
  readonly said?: string;
  readonly tone: Tone;
  /** True if the gateway found it, and `what` is a sentence. */
  readonly isNotice?: true;
}

type Describe = (step: Step, voice: Voice) => StepWords;

const noticed =
  (tone: Tone): Describe =>
  ({ payload }, voice) => ({ what: describeNotice(payload, voice), tone, isNotice: true });

const STEPS: Readonly<Record<ProposalRecord['type'], Describe>> = {
  proposed: ({ to = [], payload }, { name }) => ({
    what: `proposed this call${to.length === 0 ? '' : ` to ${allOf(to.map(name))}`}`,
    ...saidIn(payload, 'reason'),
    tone: 'plain',
  }),
  approved: ({ facts }, voice) => {
    const { given, needed, waitsFor } = facts;
    const counted = typeof given === 'number' && typeof needed === 'number' ? `, ${given} of ${needed}` : '';
    const before = textsIn(waitsFor).map(voice.text);
    return {
      what: `approved this call${partIn(facts, voice)}${sessionIn(facts, voice)}${signatureIn(facts, voice)}${counted}${before.length === 0 ? '' : `; it runs after ${allOf(before)}`}`,
      tone: 'good',
    };
  },
  approval_withdrawn: () => ({ what: 'took back the approval', tone: 'plain' }),
  agreed: noticed('plain'),
  countered: ({ payload }) => ({ what: 'made a counter-offer', ...saidIn(payload, 'reason'), tone: 'plain' }),
  counter_accepted: ({ facts }, { name }) => ({
    what: `accepted the counter-offer of ${name(textOf(facts['author']))}`,
    tone: 'good',
  }),
  fulfilled: ({ facts }, voice) => {
    const { text, name } = voice;
    const [grant, executor] = [textOf(facts['grant']), textOf(facts['executor'])];
    const isAmended = isJsonArray(facts['amendment']) && facts['amendment'].length > 0;
    const changes = textOf(facts['counter']) === '' ? ' with changes' : ' as offered';
    const granted = `allowed this call beforehand (grant ${text(grant)})`;
    const given = `approved this call${partIn(facts, voice)}${sessionIn(facts, voice)}${isAmended ? changes : ''}${signatureIn(facts, voice)}`;
    const how = grant === '' ? given : granted;
    return {
      what: `${how}${executor === '' ? '' : `; ${name(executor)} ${facts['allowed'] === true ? 'may run it' : 'runs it'}`}`,
      tone: 'good',
    };
  },
  answered: ({ facts }) =>
    facts['notRun'] === true
      ? { what: 'did not run this call', tone: 'plain' }
      : (ANSWERS[textOf(facts['outcome'])] ?? { what: 'answered', tone: 'plain' }),
  withdrawn: ({ payload }) =>
    payload['reason'] === GAVE_UP
      ? { what: 'withdrew this call because it was rejected', tone: 'plain' }
      : { what: 'withdrew this call', ...saidIn(payload, 'reason'), tone: 'plain' },
  rejected: ({ payload, facts }, voice) => ({
    what: `rejected this call${partIn(facts, voice)}${sessionIn(facts, voice)}: “${describeReason(textOf(payload['reason']), voice)}”`,
    ...saidIn(payload, 'message'),
    tone: 'bad',
  }),
  review_delegated: ({ facts }, { name, moment }) => {
    const { to, until } = facts;
    if (typeof to !== 'string') return { what: 'took back the delegation', tone: 'plain' };
    const end = typeof until === 'number' ? ` until ${moment(until)}` : '';
    return { what: `delegated the review to ${name(to)}${end}`, tone: 'plain' };
  },
  status_reported: ({ payload }, voice) => ({
    what: describeStatus(textOf(payload['status']), voice),
    ...saidIn(payload, 'message'),
    tone: 'plain',
  }),
  renewed: ({ facts }, { moment }) => {
    const { expiresAt } = facts;
    const until = typeof expiresAt === 'number' ? ` until ${moment(expiresAt)}` : '';
    return { what: `extended the time to decide${until}`, tone: 'plain' };
  },
  addressees_absent: noticed('plain'),
  nobody_capable: noticed('plain'),
  unanswered: noticed('plain'),
  options_unused: noticed('plain'),
  expiring: noticed('plain'),
  escalated: noticed('plain'),
  expired: noticed('bad'),
  declined: noticed('bad'),
  dependencies_met: noticed('good'),
  dependency_failed: noticed('bad'),
  opened: noticed('plain'),
  outcome_unknown: (step, voice) =>
    noticed(step.payload['cause'] === 'not_reported' ? 'plain' : 'bad')(step, voice),
};

const ANSWERS: Readonly<Record<string, StepWords>> = {
  ok: { what: 'ran this call', tone: 'good' },
  error: { what: 'answered with an error', tone: 'bad' },
  unknown: { what: 'does not know how this call ended', tone: 'bad' },
};

/** Describes a step in the life of a proposal. */
export function describeStep(step: Step, voice: Voice): StepWords {
  if (!Object.hasOwn(STEPS, step.type))
    return { what: 'did something that only a newer version of Proffer knows', tone: 'plain' };
  return STEPS[step.type as ProposalRecord['type']](step, voice);
}

/** Whose part someone had, if it was delegated (O-34). */
function partIn({ onBehalfOf }: JsonObject, { name }: Voice): string {
  const by = textOf(objectOf(onBehalfOf)['by']);
  return by === '' ? '' : ` for ${name(by)}`;
}

/** The session in which someone decided (O-53). */
function sessionIn({ session }: JsonObject, { text }: Voice): string {
  return typeof session === 'string' ? ` in the session ${text(session)}` : '';
}

/** The key that it is signed with, by its beginning (O-49): those of passkeys may be long. */
function signatureIn({ signed }: JsonObject, { text }: Voice): string {
  const key = textOf(objectOf(signed)['key']);
  if (key === '') return '';
  return `, signed with the key ${text(key.length > KEY_SHOWN ? `${key.slice(0, KEY_SHOWN)}…` : key)}`;
}

const KEY_SHOWN = 12;

function saidIn(payload: JsonObject, key: string): { readonly said?: string } {
  const said = textOf(payload[key]);
  return said === '' ? {} : { said };
}
