import type { JsonObject, JsonValue } from '@proffer/core/json';

/** The text of a settings file as a tree: every value, and where it is. Positions are in UTF-16 units. */
export type SettingsNode = ObjectNode | ArrayNode | ScalarNode;

/** Where something is in the text. */
export interface TextSpan {
  readonly start: number;
  readonly end: number;
}

export interface ObjectNode extends TextSpan {
  readonly kind: 'object';
  /** `lines` for a table of TOML, whose members are lines; `braces` for everything in braces. */
  readonly form: 'braces' | 'lines';
  readonly members: readonly MemberNode[];
}

/** One key with its value; it ends where the value ends. */
export interface MemberNode extends TextSpan {
  readonly key: string;
  readonly node: SettingsNode;
  /** What precedes the last part of a dotted key, as written. */
  readonly keyPrefix: string;
}

export interface ArrayNode extends TextSpan {
  readonly kind: 'array';
  readonly items: readonly SettingsNode[];
}

export interface ScalarNode extends TextSpan {
  readonly kind: 'scalar';
  readonly value: JsonValue;
}

/** The value that a text stands for. Of two members with one key, the last counts. */
export function valueOf(node: SettingsNode): JsonValue {
  if (node.kind === 'scalar') return node.value;
  return node.kind === 'array' ? node.items.map(valueOf) : objectValueOf(node);
}

/** Like {@link valueOf}. */
export function objectValueOf({ members }: ObjectNode): JsonObject {
  return Object.fromEntries(members.map(({ key, node }) => [key, valueOf(node)]));
}

/** Text that is not in the format of its file. */
export class UnreadableTextError extends Error {
  override readonly name = 'UnreadableTextError';

  /** @param what - what the parser says is wrong there */
  constructor(text: string, offset: number, what: string) {
    const before = text.slice(0, offset).split('\n');
    super(`line ${before.length}, column ${(before.at(-1) ?? '').length + 1}: ${plainly(what)}`);
  }
}

/** `CommaExpected` as `comma expected`. */
function plainly(what: string): string {
  return what
    .replaceAll(/(?<=[a-z])(?=[A-Z])/g, ' ')
    .toLowerCase()
    .replace(/\.$/, '');
}
