import { hash } from 'node:crypto';
import { digestJson, type JsonObject } from '@proffer/core';
import { type CallFacts, describeDecision, type RuleDecision } from '@proffer/steward';
import { cutText, excerptOf } from './excerpt.js';

/** A call that rules decided about, with nobody asked. */
export interface RuledCall {
  readonly tool: string;
  readonly arguments: JsonObject;
  readonly decision: RuleDecision;
}

/** A decision as it is recorded: for programs, and as a line for people. */
export interface DecisionEntry {
  readonly isDenial: boolean;
  readonly record: JsonObject;
  readonly line: string;
  /** Bytes of both. */
  readonly size: number;
}

/** What is recorded with a decision. */
export interface EntryContext {
  /** What the tool is called in the space. */
  readonly name: string;
  readonly server: string;
  /** What the server says about the tool. */
  readonly annotations?: NonNullable<CallFacts['annotations']>;
  /** Milliseconds since 1970. */
  readonly at: number;
}

/** Characters of one text in a record, and of its line, at most. */
const MOST_OF_TEXT = 300;
const MOST_OF_LINE = 1_000;

/**
 * What is recorded of a decision: no more than a few thousand bytes, whatever it is about. Everybody in the
 * space reads it, so of a call that was allowed it has the names of the arguments and a digest of them, by
 * which the call can be recognised, and no values; of one that was denied, an excerpt of them.
 */
export function entryFor(
  { arguments: args, decision }: RuledCall,
  { name, server, annotations, at }: EntryContext,
): DecisionEntry {
  const { action, reason, rule, version } = decision;
  const isDenial = action === 'deny';
  const shown: JsonObject = isDenial
    ? { arguments: excerptOf(args) }
    : {
        argumentNames: excerptOf(Object.keys(args)),
        argumentsDigest: digestJson(args, (text) => hash('sha256', text, 'hex')),
      };
  const tool = cutText(name, MOST_OF_TEXT);
  const record: JsonObject = {
    action,
    tool,
    server: cutText(server, MOST_OF_TEXT),
    ...shown,
    ...(annotations === undefined ? {} : { annotations: excerptOf({ ...annotations }) }),
    reason: cutText(reason, MOST_OF_TEXT),
    ...(rule === undefined ? {} : { rule: excerptOf({ ...rule }) }),
    version: cutText(version, MOST_OF_TEXT),
    at: new Date(at).toISOString(),
  };
  const said = `${isDenial ? 'Denied' : 'Allowed'} by rules: ${tool}. ${describeDecision(decision)}`;
  const line = cutText(said, MOST_OF_LINE);
  return { isDenial, record, line, size: Buffer.byteLength(JSON.stringify([record, line])) };
}
