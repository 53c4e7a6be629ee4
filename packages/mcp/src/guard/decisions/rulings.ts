import type { JsonObject } from '@proffer/core/json';
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
export interface RuledKind {
  /** The tool's name in the space. */
  readonly name: string;
  readonly server: string;
  /** The server's description of the tool. */
  readonly annotations: CallFacts['annotations'] | undefined;
  readonly decision: RuleDecision;
  readonly argumentNames: readonly string[];
}

/** Maximum characters of one text in a record, and of its line. */
export const MAX_OF_TEXT = 300;
export const MAX_OF_LINE = 1_000;

/** Maximum number of argument names with which a ruling is remembered (I-7). */
const MAX_NAMES = 30;

/** What is recorded about a decision besides the call itself: a few thousand bytes at most. */
export function rulingFor(kind: Omit<RuledKind, 'argumentNames'>, shown: JsonObject): ToolRuling {
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

/** Remembers the last ruling about each tool, since most calls get the same as the one before. */
export class Rulings {
  readonly #last = new Map<string, { readonly kind: RuledKind; readonly ruling: ToolRuling }>();

  /** The ruling on an allowed call: of its arguments it has only the names. */
  about(kind: RuledKind): ToolRuling {
    const last = this.#last.get(kind.name);
    if (last !== undefined && isSame(last.kind, kind)) return last.ruling;
    const ruling = rulingFor(kind, { argumentNames: excerptOf(kind.argumentNames) });
    const names = kind.argumentNames;
    if (names.length <= MAX_NAMES && names.every(({ length }) => length <= MAX_OF_TEXT))
      this.#last.set(kind.name, { kind, ruling });
    return ruling;
  }

  forget(): void {
    this.#last.clear();
  }
}

function isSame(one: RuledKind, other: RuledKind): boolean {
  const { decision: by, argumentNames: names } = one;
  const { decision, argumentNames } = other;
  return (
    one.annotations === other.annotations &&
    by.action === decision.action &&
    by.reason === decision.reason &&
    by.version === decision.version &&
    by.rule?.index === decision.rule?.index &&
    by.rule?.name === decision.rule?.name &&
    by.rule?.line === decision.rule?.line &&
    names.length === argumentNames.length &&
    names.every((name, index) => name === argumentNames[index])
  );
}
