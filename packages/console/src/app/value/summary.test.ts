import { expect, it } from 'vitest';
import { summarise } from './summary.js';

it('puts paths, names and ids before content, and long texts last', () => {
  expect(summarise({ content: 'hello', path: '/etc/hosts' })).toBe('/etc/hosts · hello');
  expect(summarise({ body: 'a\nb', count: 3, comment: 'short', issueId: 'A-7' })).toBe(
    'A-7 · short · count 3 · a ↵ b',
  );
  expect(summarise({ text: 'x', repository: 'acme/app', title: 'Dark' })).toBe('acme/app · Dark · x');
});
