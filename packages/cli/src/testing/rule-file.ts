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
