import { formatPath } from '@proffer/core/json';
import {
  listed,
  type MapTree,
  nearest,
  type Path,
  type Report,
  type SourcePosition,
  type Tree,
} from '@proffer/reading';
import { digestToken } from '../../token.js';
import type { NegotiationFlags } from '../config.js';
import {
  checkParticipantName,
  completeFlags,
  NEGOTIATION_KEYS,
  negotiationFlags,
} from '../fields/negotiation-fields.js';
import { field } from '../read/field.js';
import { scalar, text } from '../read/scalar.js';
import { parseYamlTree } from '../read/tree.js';

/** One entry of a MACP token list; only the hash of its token is stored. */
export interface MacpToken {
  readonly hash: string;
  readonly participant: string;
  readonly negotiation: NegotiationFlags;
  readonly at: SourcePosition;
  readonly path: string;
}

const KEYS: readonly string[] = ['token', 'sender', ...NEGOTIATION_KEYS];
const SHAPE = 'A token list is {"tokens": [{"token": "…", "sender": "…"}, …]}, or that list alone.';

const secret = scalar<string>(
  (found) => (/^[\x21-\x7e]+$/.test(found) ? { value: found } : { expected: 'text without spaces' }),
  'the token',
  'secret',
);

/**
 * Reads a MACP token list: `{ "tokens": [{ "token", "sender", … flags }] }`, or the list alone. Problems are reported
 * without quoting the content, since any of it could be a token.
 */
export function readMacpTokens(json: string, source: string, report: Report): readonly MacpToken[] {
  const tree = parseYamlTree(json, source, report, 'any');
  if (tree === undefined) return [];
  const list = tree.kind === 'map' && tree.entries.size === 1 ? tree.entries.get('tokens')?.value : tree;
  if (list?.kind !== 'list') {
    report(tree.at, '', SHAPE);
    return [];
  }
  return list.items.flatMap((item, index) => readEntry(item, ['tokens', index], report) ?? []);
}

function readEntry(tree: Tree, path: Path, report: Report): MacpToken | undefined {
  if (tree.kind !== 'map') {
    report(tree.at, formatPath(path), SHAPE);
    return undefined;
  }
  const token = readKey(tree, 'token', path, report, secret.read);
  const participant = readKey(tree, 'sender', path, report, text('a name').read);
  const wrong = participant === undefined ? undefined : checkParticipantName(participant);
  if (wrong !== undefined) report(tree.at, formatPath([...path, 'sender']), wrong);
  for (const [key, { keyAt }] of tree.entries) {
    if (KEYS.includes(key)) continue;
    const message = `Unknown key. An entry may have ${listed(KEYS)}.`;
    report(keyAt, formatPath(path), message, nearest(key, KEYS));
  }
  const negotiation = negotiationFlags('open').read(tree, path, report);
  if (token === undefined || participant === undefined || negotiation === undefined) return undefined;
  return {
    hash: digestToken(token).toString('hex'),
    participant,
    // A token list for negotiations: its members may start sessions, unless it says otherwise.
    negotiation: completeFlags(negotiation, true),
    at: tree.at,
    path: formatPath(path),
  };
}

function readKey(
  tree: MapTree,
  key: string,
  path: Path,
  report: Report,
  read: ReturnType<typeof text>['read'],
): string | undefined {
  const required = field(read);
  const value = tree.entries.get(key)?.value;
  const at = [...path, key];
  return value === undefined ? required.absent(tree.at, at, report) : required.read(value, at, report);
}
