import type { JsonValue } from '@proffer/core/json';
import { type Node, type ParseError, parseTree, printParseErrorCode } from 'jsonc-parser';
import type { MemberNode, SettingsNode } from './settings-tree.js';
import { UnreadableTextError } from './settings-tree.js';

/**
 * Reads JSON, also with comments and trailing commas, which several programs accept in their settings.
 *
 * @throws UnreadableTextError if it is neither
 */
export function parseJsonTree(text: string): SettingsNode {
  const errors: ParseError[] = [];
  const root = parseTree(text, errors, { allowTrailingComma: true });
  const [first] = errors;
  if (first !== undefined)
    throw new UnreadableTextError(text, first.offset, printParseErrorCode(first.error));
  if (root === undefined) throw new UnreadableTextError(text, 0, 'ValueExpected');
  return nodeOf(root);
}

function nodeOf({ type, offset: start, length, children = [], value }: Node): SettingsNode {
  const end = start + length;
  if (type === 'array') return { kind: 'array', start, end, items: children.map(nodeOf) };
  if (type === 'object')
    return { kind: 'object', form: 'braces', start, end, members: children.flatMap(memberOf) };
  return { kind: 'scalar', start, end, value: value as JsonValue };
}

function memberOf({ children: [key, value] = [] }: Node): readonly MemberNode[] {
  if (key === undefined || value === undefined) return [];
  const node = nodeOf(value);
  return [{ key: key.value as string, keyPrefix: '', start: key.offset, end: node.end, node }];
}
