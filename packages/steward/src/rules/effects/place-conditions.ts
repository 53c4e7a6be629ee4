import { describe } from '@proffer/core/json';
import { listed, type Reader, readOneOrMore } from '@proffer/reading';
import type { Condition, JudgedCall } from '../conditions/condition.js';
import type { RuleAction } from '../rule-set.js';
import { allOf, anyOf, readValue, type ValueTest } from '../values/index.js';
import { judgeNames, readPathPattern } from './path-pattern.js';
import { hostsIn, pathsIn } from './places-in.js';

interface Kind {
  readonly read: Reader<ValueTest>;
  /** The names of each place; empty if unknown. */
  readonly of: (call: JudgedCall) => readonly (readonly string[])[];
}

const KINDS: Readonly<Record<'path' | 'host', Kind>> = {
  path: {
    read: readPathPattern,
    of: ({ paths, arguments: given, locate }) => paths ?? pathsIn(given, locate),
  },
  host: {
    read: readValue,
    of: ({ hosts, arguments: given }) =>
      hosts?.map((host) => (host === null ? [] : [host])) ?? hostsIn(given),
  },
};

/**
 * `path` and `host`: the files a call touches, the hosts it talks to. A rule that allows needs all of
 * them to match, one that asks or denies at least one. Neither holds for a call without any.
 */
export function readPlaces(about: 'path' | 'host', action: RuleAction): Reader<Condition> {
  const kind = KINDS[about];
  return (tree, path, report) => {
    const tests = readOneOrMore(kind.read, 'patterns')(tree, path, report);
    if (tests === undefined) return undefined;
    return {
      about,
      expected: tests.map(({ expected }) => expected).join(' or '),
      judge: (call) => {
        const places = kind.of(call);
        if (places.length === 0) return 'no';
        return (action === 'allow' ? allOf : anyOf)(places, (names) => judgeNames(tests, names));
      },
      found: (call) => {
        const shown = kind
          .of(call)
          .map(([name]) => (name === undefined ? 'something unknown' : describe(name)));
        return shown.length === 0 ? 'none' : listed(shown.slice(0, MAX_SHOWN));
      },
    };
  };
}

const MAX_SHOWN = 5;
