import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { temporaryFolder } from './cli.js';

/** A file of rules, removed by `await using`. */
export async function withRules(text: string): Promise<AsyncDisposable & { readonly file: string }> {
  const folder = await temporaryFolder();
  const file = join(folder.path, 'rules.yaml');
  await writeFile(file, text);
  return { file, [Symbol.asyncDispose]: () => folder[Symbol.asyncDispose]() };
}

/** Nobody listens there. */
export const NOBODY = 'http://127.0.0.1:1';

/** Rules about the sample tools. */
export const RULES = `
version: "1"
rules:
  - { name: greetings, action: allow, match: { tool: echo, arguments: { text: "hello*" } } }
  - { name: no notes, action: deny, reason: Notes are for people., match: { tool: write_note } }
`;

/** A call of `echo`, as params. */
export function echo(text: string) {
  return { name: 'echo', arguments: { text } };
}
