import { hash } from 'node:crypto';
import { digestJson } from '@proffer/core';
import { type JsonObject } from '@proffer/core/json';
import type { RuleDecision } from '@proffer/steward';
import { excerptOf } from '../excerpt.js';
import { type RuledKind, type Ruling, type Rulings, rulingFor } from './rulings.js';

/** A call that rules decided without asking anyone. */
export interface RuledCall {
  readonly tool: string;
  readonly arguments: JsonObject;
  readonly decision: RuleDecision;
}

/** A decision waiting to be recorded. */
export interface DecisionEntry {
  readonly isDenial: boolean;
  /** What it may share with others: the rule and the tool. */
  readonly ruling: Ruling;
  /** What is specific to it: the time and the arguments. */
  readonly own: JsonObject;
  /** Its approximate size when sent alone, in bytes. */
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
export function entryFor({ arguments: args, decision }: RuledCall, context: EntryContext): DecisionEntry {
  const { at, rulings, ...about } = context;
  const time = new Date(at).toISOString();
  if (decision.action === 'deny') {
    const ruling = rulingFor({ ...about, decision }, { arguments: excerptOf(args) });
    return { isDenial: true, ruling, own: { at: time }, size: ruling.size + OWN_BYTES };
  }
  const ruling = rulings.about({ ...about, decision, argumentNames: Object.keys(args) });
  const argumentsDigest = digestJson(args, (text) => hash('sha256', text, 'hex'));
  return { isDenial: false, ruling, own: { argumentsDigest, at: time }, size: ruling.size + OWN_BYTES };
}
