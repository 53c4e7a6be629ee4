import { defined, formatPath } from '@proffer/core/json';
import { readFlag, readKey, readSection, type ValueReader, wanted } from '@proffer/reading';
import type { Condition, JudgedCall } from './conditions/condition.js';
import { HINT_NAMES, type ServerHints, type ServerTrust } from './hints.js';

type Hints = Partial<JudgedCall['hints']>;

/** Some of the hints, each true or false; at least one. */
const readSomeHints: ValueReader<Hints> = (tree, path, report) => {
  const section = readSection(tree, path, report, { keys: HINT_NAMES });
  if (section === undefined) return undefined;
  if (section.entries.size === 0) return wanted(tree, path, report, 'at least one hint');
  const hints: { -readonly [Name in keyof Hints]: Hints[Name] } = {};
  for (const name of HINT_NAMES) {
    const value = readKey(section, name, path, report, readFlag);
    if (value !== undefined) hints[name] = value;
  }
  return hints;
};

/** `annotations: { readOnlyHint: true }`: one condition per hint. */
export const readAnnotations: ValueReader<readonly Condition[]> = (tree, path, report) => {
  const hints = readSomeHints(tree, path, report);
  if (hints === undefined) return undefined;
  return HINT_NAMES.flatMap((name): Condition[] => {
    const expected = hints[name];
    if (expected === undefined) return [];
    return [
      {
        about: formatPath(['annotations', name]),
        expected: String(expected),
        judge: (call) => (call.hints[name] === expected ? 'yes' : 'no'),
        found: (call) => String(call.hints[name]),
      },
    ];
  });
};

const readTools: ValueReader<ServerTrust['tools']> = (tree, path, report) => {
  if (tree.kind !== 'map') return wanted(tree, path, report, 'names of tools with their hints');
  const tools = new Map<string, Hints>();
  for (const [name, { value }] of tree.entries) {
    const hints = readSomeHints(value, [...path, name], report);
    if (hints !== undefined) tools.set(name, hints);
  }
  return tools;
};

/** `servers`: by name, whether their hints count, and which hints override them. */
export const readServers: ValueReader<ServerHints> = (tree, path, report) => {
  if (tree.kind !== 'map') return wanted(tree, path, report, 'names of servers with trustHints and tools');
  const servers = new Map<string, ServerTrust>();
  for (const [name, { value }] of tree.entries) {
    const at = [...path, name];
    const section = readSection(value, at, report, { keys: ['trustHints', 'tools'] });
    if (section === undefined) continue;
    const trustHints = readKey(section, 'trustHints', at, report, readFlag);
    const tools = readKey(section, 'tools', at, report, readTools) ?? new Map<string, Hints>();
    servers.set(name, { tools, ...defined({ trustHints }) });
  }
  return servers;
};
