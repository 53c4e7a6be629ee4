import { textOf } from '../json/fields.js';
import { isJsonObject, type JsonValue } from '../json/json.js';

/** What a participant is here for, by what it may do. */
export type RoleName = 'operator' | 'reviewer' | 'agent' | 'observer';

/** The roles, those who may do most first. */
export const ROLES: Readonly<Record<RoleName, { readonly title: string; readonly may: string }>> = {
  operator: { title: 'Operators', may: 'may do everything' },
  reviewer: { title: 'Reviewers', may: 'may approve calls' },
  agent: { title: 'Agents and servers', may: 'may propose calls and serve tools' },
  observer: { title: 'Observers', may: 'may only look' },
};

/** The role that capabilities amount to. */
export function roleOf(capabilities: readonly JsonValue[]): RoleName {
  const kinds = capabilities.map((source) => textOf(isJsonObject(source) ? source['kind'] : source));
  const hasAny = (...patterns: readonly RegExp[]): boolean =>
    kinds.some((kind) => patterns.some((pattern) => pattern.test(kind)));
  // With bounds on what it may contain, even that is less than everything.
  if (capabilities.includes('*')) return 'operator';
  if (hasAny(/^\*/, /^mcp\.(?:\*|request\.)/, /^mcpx\.approve\./)) return 'reviewer';
  return kinds.length === 0 ? 'observer' : 'agent';
}
