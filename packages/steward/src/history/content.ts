import { isJsonArray, type JsonValue } from '@proffer/core/json';
import { looksLikePath } from './common-folder.js';

/** Names of arguments with content, as opposed to where, to whom or how. */
const CONTENT =
  /^(?:contents?|text|body|message|subject|title|description|comments?|notes?|summary|caption|html|markdown|(?:old|new)_?(?:text|str|string|content)|edits?|replacement)$/i;

/** Names of arguments that say what happens, where or to whom: no rule lets them be anything. */
const STEERING =
  /sql|quer|command|cmd|script|code|expr|eval|shell|program|filter|arg|param|option|flag|mode|action|operation|method|ur[il]|link|path|file|dir|folder|host|address|mail|recipient|channel|room|user|account|owner|role|permission|scope|token|secret|password|key|branch|repo|table|database|amount|^(?:to|cc|bcc|from|id)$|_?ids?$/i;

/**
 * Whether an argument that differs from call to call is only what was written: it is called so, or it is prose under a
 * name that steers nothing.
 */
export function isContent(name: string, values: readonly (JsonValue | undefined)[]): boolean {
  if (CONTENT.test(name)) return values.every((value) => value !== undefined);
  if (STEERING.test(name)) return false;
  return values.every((value) => typeof value === 'string' && /\S\s+\S/.test(value) && !isTarget(value));
}

/** Whether a value says where something goes: a path, an address, or a list of them. */
export function isTarget(value: JsonValue | undefined): boolean {
  if (isJsonArray(value)) return value.length > 0 && value.every(isTarget);
  if (typeof value !== 'string') return false;
  return (
    looksLikePath(value) || /^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(value) || /^[a-z][a-z0-9+.-]*:\S+$/i.test(value)
  );
}

/** Whether an argument that is the same in every call says where it goes, so that a rule stays narrow by it. */
export function isAnchor(name: string, value: JsonValue): boolean {
  if (typeof value === 'string' && value !== '' && TARGETS.test(name)) return true;
  return isTarget(value);
}

const TARGETS =
  /^(?:to|recipients?|channel|room|repo|repository|project|issue|document|page|thread|table)(?:_?(?:id|name))?$/i;
