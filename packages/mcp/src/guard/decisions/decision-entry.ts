import { hash } from 'node:crypto';
import { digestJson } from '@proffer/core';
import type { JsonObject } from '@proffer/core/json';
import type { ObservedCall } from '@proffer/core/operations';
import { type CallFacts, describeDecision, type RuleDecision } from '@proffer/steward';
import { cutText, excerptOf } from '../excerpt.js';

/** The ruling on a kind of call: for programs, and as a line for people. */
export interface ToolRuling {
  readonly record: JsonObject;
  readonly line: string;
  /** Shared by equal rulings. */
  readonly key: string;
  /** Bytes of record and line. */
  readonly size: number;
}

/** The part of a call that determines its ruling. */
interface RuledKind {
  /** The tool's name in the space. */
  readonly name: string;
  readonly server: string;
  /** The server's description of the tool. */
  readonly annotations: CallFacts['annotations'] | undefined;
  readonly decision: RuleDecision;
}

/** Maximum characters of one text in a record, and of its line. */
const MAX_OF_TEXT = 300;
const MAX_OF_LINE = 1_000;

/** What is recorded about a decision besides the call itself: a few thousand bytes at most. */
function rulingFor(kind: RuledKind, shown: JsonObject): ToolRuling {
  const { name, server, annotations, decision } = kind;
  const { action, reason, rule, version } = decision;
  const tool = cutText(name, MAX_OF_TEXT);
  const record: JsonObject = {
    action,
    tool,
    server: cutText(server, MAX_OF_TEXT),
    ...shown,
    ...(annotations === undefined ? {} : { annotations: excerptOf({ ...annotations }) }),
    reason: cutText(reason, MAX_OF_TEXT),
    ...(rule === undefined ? {} : { rule: excerptOf({ ...rule }) }),
    version: cutText(version, MAX_OF_TEXT),
  };
  const said = `${action === 'deny' ? 'Denied' : 'Allowed'} by rules: ${tool}. ${describeDecision(decision)}`;
  const line = cutText(said, MAX_OF_LINE);
  const key = JSON.stringify(record);
  return { record, line, key, size: Buffer.byteLength(key) + Buffer.byteLength(line) };
}

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
  const { at, ...about } = context;
  const time = new Date(at).toISOString();
  if (decision.action === 'deny') {
    const ruling = rulingFor({ ...about, decision }, { arguments: excerptOf(args) });
    return { isKept: true, isObserved: false, ruling, own: { at: time }, size: ruling.size + OWN_BYTES };
  }
  const ruling = rulingFor({ ...about, decision }, { argumentNames: excerptOf(Object.keys(args)) });
  const argumentsDigest = digestJson(args, (text) => hash('sha256', text, 'hex'));
  const size = ruling.size + OWN_BYTES;
  return { isKept: false, isObserved: false, ruling, own: { argumentsDigest, at: time }, size };
}

const WOULD = {
  allow: 'Watched: nobody would have been asked',
  ask: 'Watched: someone would have been asked',
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
