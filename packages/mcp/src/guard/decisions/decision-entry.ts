import { hash } from 'node:crypto';
import { digestJson } from '@proffer/core';
import { type JsonObject } from '@proffer/core/json';
import type { ObservedCall } from '@proffer/core/operations';
import type { RuleDecision } from '@proffer/steward';
import { cutText, excerptOf } from '../excerpt.js';
import {
  MAX_OF_LINE,
  MAX_OF_TEXT,
  type RuledKind,
  type Rulings,
  rulingFor,
  type ToolRuling,
} from './rulings.js';

/** A call that rules decided without asking anyone. */
export interface RuledCallEntry {
  readonly tool: string;
  readonly arguments: JsonObject;
  readonly decision: RuleDecision;
  /** The call was only watched (O-50): the decision is what would have become of it. */
  readonly watched?: Pick<ObservedCall, 'reads' | 'isProtected' | 'open'>;
}

/** A decision waiting to be recorded. */
export interface DecisionEntry {
  /** Whether it is kept if there is no room for all: a denial, and a question that was not asked. */
  readonly isKept: boolean;
  readonly isObserved: boolean;
  /** What it may share with others: the rule and the tool. */
  readonly ruling: ToolRuling;
  /** What is specific to it: the time and the arguments. */
  readonly own: JsonObject;
  /** The approximate size of the entry when sent alone, in bytes. */
  readonly size: number;
}

/** What is recorded with a decision. */
export interface EntryContext extends Pick<RuledKind, 'name' | 'server' | 'annotations'> {
  /** Milliseconds since 1970. */
  readonly at: number;
  readonly rulings: Rulings;
}

/** Bytes of a digest and a time with their names, about. */
const OWN_BYTES = 130;

/**
 * What is recorded about a decision. Everyone in the space can read it, so for an allowed call it has only the argument
 * names and a digest to recognise the call by; for a denied one, an excerpt of the arguments.
 */
export function entryFor(call: RuledCallEntry, context: EntryContext): DecisionEntry {
  if (call.watched !== undefined) return observedEntry(call, call.watched, context);
  const { arguments: args, decision } = call;
  const { at, rulings, ...about } = context;
  const time = new Date(at).toISOString();
  if (decision.action === 'deny') {
    const ruling = rulingFor({ ...about, decision }, { arguments: excerptOf(args) });
    return { isKept: true, isObserved: false, ruling, own: { at: time }, size: ruling.size + OWN_BYTES };
  }
  const ruling = rulings.about({ ...about, decision, argumentNames: Object.keys(args) });
  const argumentsDigest = digestJson(args, (text) => hash('sha256', text, 'hex'));
  const size = ruling.size + OWN_BYTES;
  return { isKept: false, isObserved: false, ruling, own: { argumentsDigest, at: time }, size };
}

const WOULD = {
  allow: 'Watched, nobody would have been asked',
  ask: 'Watched, somebody would have been asked',
  deny: 'Watched, it would have been denied',
} as const;

function observedEntry(
  { arguments: args, decision }: RuledCallEntry,
  watched: NonNullable<RuledCallEntry['watched']>,
  { at, name, server }: EntryContext,
): DecisionEntry {
  const { action, reason, version } = decision;
  const { open, ...known } = watched;
  const record: JsonObject = {
    would: action,
    tool: cutText(name, MAX_OF_TEXT),
    server: cutText(server, MAX_OF_TEXT),
    ...known,
    ...(action === 'allow' ? {} : { arguments: excerptOf(args) }),
    ...(action !== 'ask' || open === undefined ? {} : { open }),
    reason: cutText(reason, MAX_OF_TEXT),
    version: cutText(version, MAX_OF_TEXT),
  };
  const key = JSON.stringify(record);
  const line = cutText(`${WOULD[action]}: ${name}. ${reason}`, MAX_OF_LINE);
  const size = Buffer.byteLength(key) + Buffer.byteLength(line);
  const own = { at: new Date(at).toISOString() };
  return {
    isKept: action !== 'allow',
    isObserved: true,
    ruling: { record, line, key, size },
    own,
    size: size + OWN_BYTES,
  };
}
