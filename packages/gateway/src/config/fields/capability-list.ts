import { type Capability, operationsInstead, parseCapability } from '@proffer/core/capability';
import { formatPath, quote } from '@proffer/core/json';
import { listed, nearest, type Report, type SourcePosition, treeToJson } from '@proffer/reading';
import { type Field, field, listOf } from '../read/field.js';
import { capabilityOf } from './payload-fields.js';

/** Capabilities written in place, or the name of a list under `capabilities`. */
export type CapabilityList =
  | { readonly capabilities: readonly Capability[] }
  | { readonly list: string; readonly at: SourcePosition; readonly path: string };

/** One capability (O-8). */
export const readCapability: Field<Capability>['read'] = (tree, path, report) => {
  const parsed = parseCapability(treeToJson(tree), formatPath(path));
  if (parsed.ok) {
    const spelledOut = parseCapability(capabilityOf(tree, path, report));
    if (!spelledOut.ok) return undefined;
    const { kind } = spelledOut.value;
    const operations = operationsInstead(kind);
    if (operations !== undefined) {
      const message = `${quote(kind.text)} matches no kind of message, so it grants nothing.`;
      report(tree.at, formatPath(path), message, withOperation(kind.text, operations));
      return undefined;
    }
    return spelledOut.value;
  }
  const detail = (key: string) => {
    const value = parsed.refusal.details[key];
    return typeof value === 'string' ? value : 'This';
  };
  report(tree.at, detail('field'), `${detail('found')} is invalid; expected ${detail('expected')}.`);
  return undefined;
};

/** The pattern with the operation that was probably meant: `mcp.proposal.*` for `mcp.propsal.*`. */
function withOperation(pattern: string, operations: readonly string[]): string | undefined {
  const [protocol, operation = '', ...rest] = pattern.split('.');
  const meant = nearest(operation, operations);
  return meant === undefined ? undefined : [protocol, meant, ...rest].join('.');
}

/** A list of capabilities (O-8). */
export function capabilityList(): Field<readonly Capability[]> {
  return listOf(readCapability, 'capabilities such as mcp.proposal.*');
}

/** A list of capabilities, or the name of one. */
export function grant(): Field<CapabilityList> {
  const inPlace = capabilityList();
  return field((tree, path, report) => {
    if (tree.kind === 'scalar' && tree.text !== '') {
      return { list: tree.text, at: tree.at, path: formatPath(path) };
    }
    const capabilities = inPlace.read(tree, path, report);
    return capabilities === undefined ? undefined : { capabilities };
  }, 'none');
}

/** The capabilities of a grant; reports an unknown list name. */
export function resolveGrant(
  granted: CapabilityList,
  lists: ReadonlyMap<string, readonly Capability[]>,
  report: Report,
): readonly Capability[] {
  if ('capabilities' in granted) return granted.capabilities;
  const list = lists.get(granted.list);
  if (list !== undefined) return list;
  const names = lists.size === 0 ? 'none are defined' : `there are ${listed(lists.keys())}`;
  const message = `No capability list is named ${quote(granted.list)}: ${names}. Name one of \`capabilities\`, or write a list with [ ].`;
  report(granted.at, granted.path, message, nearest(granted.list, lists.keys()));
  return [];
}

/** What is wrong with the name of a capability list, or `undefined`. */
export function checkListName(name: string): string | undefined {
  if (/^[A-Za-z][A-Za-z0-9_-]{0,63}$/.test(name)) return undefined;
  return `${quote(name)} is not a valid list name: use a letter, then letters, digits, _ and -, at most 64 characters.`;
}
