import { describe } from '@proffer/core/json';
import { type ValueReader } from '@proffer/reading';
import { anyOf, fieldJudge, own, readValue, type ValueTest } from '../values/index.js';
import type { Condition, JudgedCall } from './condition.js';
import { describeNames, nameJudge, readNames } from './name-condition.js';

/** The methods about a resource, and the one about a prompt. */
export const RESOURCE_METHODS: readonly string[] = ['resources/read', 'resources/subscribe'];
export const PROMPT_METHODS: readonly string[] = ['prompts/get'];

/** `resource`: a condition on the URI, or a list of which one must hold. Never holds for a tool. */
export const readResource: ValueReader<Condition> = (tree, path, report) => {
  const items = tree.kind === 'list' ? tree.items : [tree];
  const tests = items.map((item, index) =>
    readValue(item, tree.kind === 'list' ? [...path, index] : path, report),
  );
  if (!tests.every((test) => test !== undefined)) return undefined;
  const test: ValueTest = {
    expected: tests.map(({ expected }) => expected).join(' or '),
    judge: (value) => anyOf(tests, ({ judge }) => judge(value)),
  };
  const judge = fieldJudge('uri', test);
  return {
    about: 'resource',
    expected: test.expected,
    judge: (call) => (isAbout(call, RESOURCE_METHODS) ? judge(call.arguments) : 'no'),
    found: (call) => found(call, RESOURCE_METHODS, 'uri'),
  };
};

/** `prompt`: the names of prompts. Never holds for a tool. */
export const readPrompt: ValueReader<Condition> = (tree, path, report) => {
  const names = readNames(tree, path, report);
  if (names === undefined) return undefined;
  const judge = nameJudge(names, true);
  return {
    about: 'prompt',
    expected: describeNames(names),
    judge: (call) => {
      if (!isAbout(call, PROMPT_METHODS)) return 'no';
      const name = own(call.arguments, 'name');
      return judge(typeof name === 'string' ? [name] : []);
    },
    found: (call) => found(call, PROMPT_METHODS, 'name'),
  };
};

function isAbout({ method = 'tools/call' }: JudgedCall, methods: readonly string[]): boolean {
  return methods.includes(method);
}

function found(call: JudgedCall, methods: readonly string[], field: string): string {
  return isAbout(call, methods)
    ? describe(own(call.arguments, field))
    : `the method ${call.method ?? 'tools/call'}`;
}
