import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { extname, join } from 'node:path';
import { gzipSync } from 'node:zlib';

/** A file as served. */
export interface ServedFile {
  readonly type: string;
  readonly bytes: Buffer;
  /** The same compressed, if that is smaller. */
  readonly gzip?: Buffer;
  readonly etag: string;
}

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.webmanifest': 'application/manifest+json',
};

/**
 * Reads the files of a folder into memory, by relative path: only files that existed at startup are served,
 * and no request can name another one. Throws file system errors.
 */
export function readFiles(folder: string): ReadonlyMap<string, ServedFile> {
  const names = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && TYPES[extname(entry.name)] !== undefined)
    .map((entry) => join(entry.parentPath, entry.name));
  return new Map(
    names.map((path) => [path.slice(join(folder, '/').length).replaceAll('\\', '/'), readFile(path)]),
  );
}

function readFile(path: string): ServedFile {
  const bytes = readFileSync(path);
  const gzip = gzipSync(bytes, { level: 9 });
  return {
    type: TYPES[extname(path)] ?? '',
    bytes,
    ...(gzip.length < bytes.length ? { gzip } : {}),
    etag: `"${createHash('sha256').update(bytes).digest('base64url').slice(0, 22)}"`,
  };
}
