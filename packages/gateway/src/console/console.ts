import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { extname, join } from 'node:path';
import { gzipSync } from 'node:zlib';
import type { JsonObject } from '@proffer/core/json';
import type { GatewayConfig } from '../config/index.js';

/** A file as served. */
interface ServedFile {
  readonly type: string;
  readonly bytes: Buffer;
  /** The page compressed, if that is smaller. */
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
function readFiles(folder: string): ReadonlyMap<string, ServedFile> {
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

/** Where the console is served. */
const CONSOLE_PATH = '/console/';

/** Serves the files of the console. */
export interface ConsolePages {
  /** Answers a request for the console; false if it is for something else. */
  serve(request: IncomingMessage, response: ServerResponse, path: string): boolean;
}

/** Files whose name changes with their content. */
const HASHED = /^assets\//;

/**
 * The console at `/console/`, from a folder that is read once; `/` leads there. Only GET and HEAD: opening a
 * page changes nothing.
 *
 * @param issuers - origins that pages may also contact, for signing in
 */
function createConsolePages(folder: string, issuers: readonly string[] = []): ConsolePages {
  const policy = contentPolicy(issuers);
  const files = readFiles(folder);
  const index = files.get('index.html');
  if (index === undefined) throw new Error(`There is no index.html in ${folder}.`);

  function find(name: string): ServedFile | undefined {
    // All views have the same page at different URLs.
    return files.get(name) ?? (HASHED.test(name) ? undefined : index);
  }

  return {
    serve(request, response, path) {
      if (request.method !== 'GET' && request.method !== 'HEAD') return false;
      if (path === '/' || path === CONSOLE_PATH.slice(0, -1)) {
        response.writeHead(302, { location: CONSOLE_PATH, 'cache-control': 'no-store' }).end();
        return true;
      }
      if (!path.startsWith(CONSOLE_PATH)) return false;
      const name = path.slice(CONSOLE_PATH.length);
      const file = find(name);
      if (file === undefined) return false;
      send(request, response, { file, policy, isLasting: HASHED.test(name) });
      return true;
    },
  };
}

function send(
  { method, headers }: IncomingMessage,
  response: ServerResponse,
  {
    file,
    policy,
    isLasting,
  }: { readonly file: ServedFile; readonly policy: string; readonly isLasting: boolean },
): void {
  const { type, etag } = file;
  const always = {
    etag,
    'cache-control': isLasting ? 'public, max-age=31536000, immutable' : 'no-cache',
    'content-security-policy': policy,
    'cross-origin-opener-policy': 'same-origin',
    'cross-origin-resource-policy': 'same-origin',
    'permissions-policy': 'camera=(), geolocation=(), microphone=()',
    'referrer-policy': 'no-referrer',
    vary: 'accept-encoding',
    'x-content-type-options': 'nosniff',
    'x-frame-options': 'DENY',
  };
  if (headers['if-none-match'] === etag) {
    response.writeHead(304, always).end();
    return;
  }
  const isCompressed =
    file.gzip !== undefined && /\bgzip\b/.test(headers['accept-encoding']?.toString() ?? '');
  const bytes = isCompressed ? (file.gzip ?? file.bytes) : file.bytes;
  response.writeHead(200, {
    ...always,
    'content-type': type,
    'content-length': bytes.length,
    ...(isCompressed ? { 'content-encoding': 'gzip' } : {}),
  });
  response.end(method === 'HEAD' ? undefined : bytes);
}

/**
 * What a page of the console may load and connect to: its own files and this gateway. No inline script or
 * style, no framing, no markup from strings. Trusted Types allow one policy: the one for the service worker's
 * URL, which is a script sink too.
 *
 * @param issuers - origins that the page may also contact, for signing in
 */
function contentPolicy(issuers: readonly string[] = []): string {
  return [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self' data:",
    "manifest-src 'self'",
    "worker-src 'self'",
    ["connect-src 'self'", ...issuers].join(' '),
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
    'trusted-types proffer-worker',
  ].join('; ');
}

/** The gateway's part of the console: the sign-in methods, and its pages if they are served. */
export interface Console {
  readonly signIn: JsonObject;
  readonly pages?: ConsolePages;
}

/** @param folder - with the console's files. Throws if there is no console in it */
export function createConsole(config: GatewayConfig, folder: string | undefined): Console {
  const signIn = describeSignIn(config);
  if (folder === undefined) return { signIn };
  const { jwt, oidc } = config;
  const issuers = jwt === undefined || oidc === undefined ? [] : [new URL(jwt.issuer).origin];
  return { signIn, pages: createConsolePages(folder, issuers) };
}

/**
 * The answer of `GET /sign-in`, before authentication: the ways to sign in, the preferred one first. In dev mode it
 * includes the built-in names; otherwise no names, and nothing else that requires a token.
 */
function describeSignIn({
  dev,
  participants,
  jwt,
  oidc,
}: Pick<GatewayConfig, 'dev' | 'participants' | 'jwt' | 'oidc'>): JsonObject {
  const names = dev ? [{ type: 'name', names: [...participants.keys()] }] : [];
  const issuer =
    jwt === undefined || oidc === undefined ? [] : [{ type: 'oidc', issuer: jwt.issuer, ...oidc }];
  return { methods: [...names, ...issuer, { type: 'token' }] };
}
