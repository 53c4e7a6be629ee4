import { expect, it } from 'vitest';
import { summarise } from './summary.js';

it('puts paths, names and ids before content, and long texts last', () => {
  expect(summarise({ content: 'hello', path: '/etc/hosts' })).toBe('/etc/hosts · hello');
  expect(summarise({ body: 'a\nb', count: 3, comment: 'short', issueId: 'A-7' })).toBe(
    'A-7 · short · count 3 · a ↵ b',
  );
  expect(summarise({ text: 'x', repository: 'acme/app', title: 'Dark' })).toBe('acme/app · Dark · x');
});

it('is the same whatever the order of the arguments, with an edit from the old text to the new one', () => {
  const sent = { old_text: 'Friday', path: 'plan.md', new_text: 'Monday', all: true, count: 2 };
  const recorded = { all: true, count: 2, new_text: 'Monday', old_text: 'Friday', path: 'plan.md' };
  expect(summarise(sent)).toBe('plan.md · Friday → Monday · count 2 · all true');
  expect(summarise(recorded)).toBe(summarise(sent));
  expect(summarise({ new_str: '', old_str: 'a\nb' })).toMatch(/^a ↵ b →/);
  expect(summarise({ b: 'two', a: 'one' })).toBe(summarise({ a: 'one', b: 'two' }));
});
