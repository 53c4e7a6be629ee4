import { formatPath } from '@proffer/core/json';
import { type Field, field, optional, section } from './field.js';
import { scalar, text } from './scalar.js';

/** A password, token or key: literal, or where to find it. */
export type Secret = { readonly value: string } | { readonly file: string } | { readonly env: string };

/** A secret, written literally, as `{ file: PATH }` or as `{ env: NAME }`. */
export function secret(what: string): Field<Secret> {
  const written = scalar<Secret>((found) => ({ value: { value: found } }), what, 'secret');
  const elsewhere = section<{ file: string | undefined; env: string | undefined }>({
    file: optional(text('the path of a file')),
    env: optional(text('the name of an environment variable')),
  });
  return field((tree, path, report) => {
    if (tree.kind !== 'map') return written.read(tree, path, report);
    const { file, env } = elsewhere.read(tree, path, report) ?? {};
    if (file !== undefined && env === undefined) return { file };
    if (env !== undefined && file === undefined) return { env };
    report(tree.at, formatPath(path), `Write ${what}, or { file: PATH }, or { env: NAME }.`);
    return undefined;
  });
}
