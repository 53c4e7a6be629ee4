import {
  isJsonArray,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  objectOf,
  objectsIn,
  textOf,
} from '@proffer/core/json';
import { reasonInWords } from '../card/events.js';
import { plainLine } from '../text/marked.js';
import { dayAndTime, listOf, shortDigest } from '../text/words.js';

/** One step in the life of a proposal, as the gateway reports it. */
export interface Step {
  readonly type: string;
  readonly time: number;
  readonly by: string;
  readonly payload: JsonObject;
  readonly facts: JsonObject;
}

/** Reads the history of a proposal. */
export function readSteps(history: JsonValue | undefined): readonly Step[] {
  const items = objectsIn(history);
  return items.map(({ type, time, facts, message }) => {
    const { from, payload } = objectOf(message);
    return {
      type: textOf(type),
      time: typeof time === 'number' ? time : 0,
      by: textOf(from),
      payload: objectOf(payload),
      facts: objectOf(facts),
    };
  });
}

/** A step as text; title and note are ready to be shown. */
export interface StepWords {
  readonly what: string;
  /** The sender's message. */
  readonly said?: string;
  /** What the gateway recorded with it. */
  readonly note?: string;
  readonly tone: 'plain' | 'good' | 'bad';
}

/** Describes a step. One that this version does not know is shown by name. */
export function inWords({ type, payload, facts }: Step): StepWords {
  const message = textOf(payload['message']);
  const said = message === '' ? {} : { said: message };
  switch (type) {
    case 'proposed':
      return { what: 'proposed it', note: `digest ${shortDigest(textOf(facts['digest']))}`, tone: 'plain' };
    case 'status_reported':
      return { what: `reported: ${lineOf(payload['status'])}`, ...said, tone: 'plain' };
    case 'rejected':
      return { what: `rejected it: “${reasonInWords(textOf(payload['reason']))}”`, ...said, tone: 'bad' };
    case 'approved':
      return { what: `approved it${standIn(facts)}`, note: digestNote(facts['digest']), tone: 'good' };
    case 'countered':
      return {
        what: 'offered something else',
        ...reasonIn(payload),
        note: digestNote(facts['digest']),
        tone: 'plain',
      };
    case 'counter_accepted':
      return {
        what: `accepted what ${lineOf(facts['author'])} offered`,
        note: digestNote(facts['digest']),
        tone: 'good',
      };
    case 'review_delegated':
      return delegatedWords(facts);
    case 'dependencies_met':
      return { what: 'What it waited for is done', ...dependencyNote(facts), tone: 'good' };
    case 'dependency_failed':
      return { what: 'Something it depends on failed', ...dependencyNote(facts), tone: 'bad' };
    case 'fulfilled':
      return fulfilledWords(facts);
    case 'answered':
      return answeredWords(facts);
    case 'withdrawn':
      return { what: 'withdrew it', ...reasonIn(payload), tone: 'plain' };
    default:
      if (facts['cause'] === 'not_reported')
        return { what: 'Its agent did not report how it ended', tone: 'plain' };
      return { ...(NOTICES[type] ?? noticeWords(type)), ...absentNote(facts) };
  }
}

function reasonIn(payload: JsonObject): { readonly said?: string } {
  const reason = textOf(payload['reason']);
  return reason === '' ? {} : { said: reason };
}

/** Whose part an approver had, if it was delegated (O-34). */
function standIn({ onBehalfOf }: JsonObject): string {
  const by = isJsonObject(onBehalfOf) ? lineOf(onBehalfOf['by']) : '';
  return by === '' ? '' : ` for ${by}`;
}

function delegatedWords({ to, until }: JsonObject): StepWords {
  if (typeof to !== 'string') return { what: 'took the review back', tone: 'plain' };
  const note = typeof until === 'number' ? { note: `until ${dayAndTime(until)}` } : {};
  return { what: `handed the review to ${plainLine(to)}`, ...note, tone: 'plain' };
}

/** The result of a dependency, or the list of dependencies (O-37). */
function dependencyNote({ dependencies, dependency, outcome }: JsonObject): { readonly note?: string } {
  const one = lineOf(dependency);
  const note = one === '' ? linesOf(dependencies) : `${one}: ${lineOf(outcome)}`;
  return note === '' ? {} : { note };
}

function fulfilledWords(facts: JsonObject): StepWords {
  const executor = lineOf(facts['executor']);
  const isAmended = isJsonArray(facts['amendment']) && facts['amendment'].length > 0;
  const grant = textOf(facts['grant']);
  return {
    what: `approved it${grant === '' ? '' : ` by the grant ${grant}`}${isAmended ? ' with changes' : ''}${executor === '' ? '' : `; ${executor} ${facts['allowed'] === true ? 'may run it' : 'runs it'}`}`,
    note: `approved as ${shortDigest(textOf(facts['ranDigest']))}${textOf(facts['counter']) === '' ? '' : ', by an accepted offer'}`,
    tone: 'good',
  };
}

function answeredWords({ outcome, notRun }: JsonObject): StepWords {
  if (notRun === true) return { what: 'did not run it', tone: 'plain' };
  if (outcome === 'ok') return { what: 'ran it and answered', tone: 'good' };
  return outcome === 'error'
    ? { what: 'ran it, and it failed', tone: 'bad' }
    : { what: 'cannot say how it ended', tone: 'bad' };
}

const NOTICES: Readonly<Record<string, StepWords>> = {
  expired: { what: 'Nobody decided in time: it expired', tone: 'bad' },
  declined: { what: 'Everybody it was for rejected it or is offline', tone: 'bad' },
  opened: { what: 'Those it was reserved for did not take it: now anybody may', tone: 'plain' },
  addressees_absent: { what: 'An addressee is not connected', tone: 'plain' },
  outcome_unknown: { what: 'It is not known whether it ran; nothing runs again by itself', tone: 'bad' },
};

function noticeWords(type: string): StepWords {
  return { what: plainLine(type.replaceAll('_', ' ')), tone: 'plain' };
}

function absentNote({ absent }: JsonObject): { readonly note?: string } {
  const names = linesOf(absent);
  return names === '' ? {} : { note: names };
}

function digestNote(digest: JsonValue | undefined): string {
  return `digest ${shortDigest(textOf(digest))}`;
}

/** Text from others, ready to be shown in a sentence. */
function lineOf(value: JsonValue | undefined): string {
  return plainLine(textOf(value));
}

function linesOf(values: JsonValue | undefined): string {
  return listOf(
    isJsonArray(values) ? values.filter((value) => typeof value === 'string').map(plainLine) : [],
  );
}
