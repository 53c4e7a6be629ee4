import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { type DialectName, isIdentifier, type Refusal, refuse } from '@proffer/core';
import { type JsonLimits, quote } from '@proffer/core/json';
import type { WebSocket } from 'ws';
import {
  checkOrigin,
  createBadMessageCounters,
  createStrangers,
  type ReleaseConnection,
  refuseTwoCredentials,
} from '../../door/index.js';
import type { Metrics } from '../../metrics/index.js';
import { loadSentJson, type Negotiations } from '../../negotiation/index.js';
import type { SpaceAdmission } from '../../operations/index.js';
import { hasToken, type RequestTarget, readTarget } from '../target.js';
import { type ConnectionQuery, serveConnection } from './connection.js';
import { type MacpLimits, serveMacpConnection } from './macp/connection.js';
import { createMewIds } from './mew/ids.js';
import { awaitJoin, refuseOtherJoin, sendAway } from './mew/join.js';
import { createUpgrades, type OpenedSocket, tokenOf, type Upgrade } from './upgrade.js';

export interface WebSocketOptions {
  readonly admission: SpaceAdmission;
  readonly negotiations: Negotiations;
  readonly clock: () => number;
  /** For messages about operations. */
  readonly limits: JsonLimits;
  readonly macp: MacpLimits;
  readonly metrics: Metrics;
  /** Whether a name is enough to authenticate; then only this machine is served. */
  readonly dev: boolean;
  /** Origins of pages that are served all the same. */
  readonly origins: () => readonly string[];
  /** A request was authenticated. */
  readonly onAdmitted: (request: IncomingMessage) => void;
}

export interface WebSocketTransport {
  /** Handles an upgrade request. */
  upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void;
  close(): void;
}

/**
 * `GET /ws?space=NAME[&after=SEQ][&routing=all|directed][&dialect=NAME][&records=true][&instance=ID]`, with a
 * token: one envelope per message, in both directions, on request with the record that it left. `GET /macp/ws`, with a token: negotiations, a frame per message. Frames up
 * to four times the message limit are read, so that the sender gets an error and keeps the connection; larger ones end it.
 */
export function createWebSocketTransport(options: WebSocketOptions): WebSocketTransport {
  const { admission, negotiations, limits, macp, metrics } = options;
  const { activeSenders } = admission;
  /** The only place where refusals on a WebSocket, or of one, are counted; negotiations count their own. */
  const countRefusal = ({ code }: Refusal): void => metrics.refusals.inc({ code });
  const spaces = createUpgrades(4 * limits.maxBytes, metrics);
  const countBadOf = createBadMessageCounters(macp.badMessages);
  const sessions = createUpgrades(4 * macp.json.maxBytes, metrics);
  /** Connections that have not identified themselves yet. */
  const joining = createStrangers<Duplex>(JOINING);

  async function enter(upgrade: Upgrade): Promise<void> {
    const { request } = upgrade;
    const unclear =
      (options.dev ? checkOrigin(request, options.origins()) : undefined) ?? refuseTwoCredentials(request);
    if (unclear !== undefined) return refuseUpgrade(upgrade, unclear);
    const target = readTarget(request.url);
    if (hasToken(target)) {
      const what = 'The URL contains a token, and logs would record it.';
      return refuseUpgrade(upgrade, refuse('token_in_url', what));
    }
    if (target.path === '/macp/ws') await enterSessions(upgrade);
    else if (isMewJoin(upgrade, target)) enterByJoin(upgrade);
    else await enterSpace(upgrade, target);
  }

  async function enterSpace(upgrade: Upgrade, target: RequestTarget): Promise<void> {
    const asked = readAsked(target);
    if ('refused' in asked) return refuseUpgrade(upgrade, asked.refused);
    const connected = await admission.connect(tokenOf(upgrade.request), asked.space);
    if (!connected.ok) return refuseUpgrade(upgrade, connected.refusal);
    const { caller, leave } = connected.value;
    options.onAdmitted(upgrade.request);
    const ahead = asked.after === undefined ? undefined : await caller.liveSpace.checkCursor(asked.after);
    if (ahead !== undefined) {
      leave('closed');
      return refuseUpgrade(upgrade, ahead);
    }
    const credentials = { space: asked.space, token: tokenOf(upgrade.request) };
    spaces.accept(upgrade, leave, (opened) =>
      serveConnection({
        ...options,
        ...opened,
        activeSenders,
        countRefusal,
        caller,
        asked,
        checkJoin: (join) => refuseOtherJoin(join, credentials),
      }),
    );
  }

  /** A mew client identifies itself in its first message. */
  function enterByJoin(upgrade: Upgrade): void {
    joining.seen(upgrade.socket, upgrade.request.socket.remoteAddress);
    let leaving: ReleaseConnection | undefined;
    const serve = async ({ webSocket, socket, onThrownOut }: OpenedSocket): Promise<void> => {
      const { join, resume } = await awaitJoin(webSocket, socket);
      joining.forget(upgrade.socket);
      if (join === undefined) return sendAway(webSocket, 'join_expected');
      const token = tokenOf(upgrade.request);
      const other = refuseOtherJoin(join, { token });
      if (other !== undefined) return refuseJoin(webSocket, other);
      const connected = await admission.connect(join.token ?? token, join.space);
      if (!connected.ok) return refuseJoin(webSocket, connected.refusal);
      const { caller, leave } = connected.value;
      options.onAdmitted(upgrade.request);
      leaving = leave;
      if (webSocket.readyState !== webSocket.OPEN) return leave();
      const translation = createMewIds(caller.name, join.participantId);
      const opened = { webSocket, socket, onThrownOut, activeSenders, countRefusal };
      serveConnection({ ...options, ...opened, caller, asked: JOINED, translation });
      resume();
    };
    spaces.accept(
      upgrade,
      (how) => {
        joining.forget(upgrade.socket);
        leaving?.(how);
      },
      (opened) => void serve(opened).catch(() => opened.webSocket.terminate()),
    );
  }

  function refuseJoin(webSocket: WebSocket, refusal: Refusal): void {
    countRefusal(refusal);
    const { code, message, details } = refusal;
    // `type` and `message` are what mew clients look for.
    const payload = { ...details, error: code, message };
    webSocket.send(
      JSON.stringify({ type: 'error', protocol: 'mew/v0.4', kind: 'system/error', message, payload }),
    );
    sendAway(webSocket, code);
  }

  async function enterSessions(upgrade: Upgrade): Promise<void> {
    const connected = await negotiations.connect(tokenOf(upgrade.request), 'ws');
    // The refusal was counted where it was refused.
    if (!connected.ok) return sessions.refuse(upgrade.socket, connected.refusal);
    options.onAdmitted(upgrade.request);
    const { caller, leave } = connected.value;
    const { readSentJson: readSent } = await loadSentJson();
    sessions.accept(upgrade, leave, (opened) =>
      serveMacpConnection({ ...options, ...opened, activeSenders, caller, countBadOf, readSent }),
    );
  }

  function refuseUpgrade({ socket }: Upgrade, refusal: Refusal): void {
    countRefusal(refusal);
    spaces.refuse(socket, refusal);
  }

  return {
    upgrade(request, socket, head) {
      socket.on('error', () => socket.destroy());
      void enter({ request, socket, head }).catch(() => socket.destroy());
    },
    close() {
      spaces.close();
      sessions.close();
    },
  };
}

/** How many may be about to identify themselves (I-7). One address alone cannot crowd out the others. */
const JOINING = { total: 64, perAddress: 32 };

const JOINED: ConnectionQuery = { routing: 'all', dialect: 'mew/v0.4', records: false };

/** Whether a request names no space, as with mew clients. Those at `/` may have a token in the header, too. */
function isMewJoin({ request }: Upgrade, { path, query }: RequestTarget): boolean {
  if (query.has('space') || query.has('topic')) return false;
  return path === '/' || (path === '/ws' && tokenOf(request) === undefined);
}

const DIALECTS: readonly DialectName[] = ['mcpx', 'mcpx-slash', 'legacy', 'mew/v0.4'];

function readAsked({
  path,
  query,
}: RequestTarget): (ConnectionQuery & { readonly space: string }) | { readonly refused: Refusal } {
  const space = query.get('space') ?? query.get('topic');
  if (path !== '/ws') return { refused: refuse('unknown_route', `${quote(path)} not found.`, { path }) };
  if (space === null || space === '') return invalid('space', space, 'the name of a space');
  const after = query.get('after');
  if (after !== null && !/^\d{1,15}$/.test(after)) return invalid('after', after, 'the seq of a message');
  const routing = query.get('routing') ?? 'all';
  if (routing !== 'all' && routing !== 'directed') return invalid('routing', routing, 'all or directed');
  const named = query.get('dialect');
  const dialect = DIALECTS.find((name) => name === named);
  if (named !== null && dialect === undefined) return invalid('dialect', named, DIALECTS.join(', '));
  const records = query.get('records') ?? 'false';
  if (records !== 'true' && records !== 'false') return invalid('records', records, 'true or false');
  const instance = query.get('instance');
  if (instance !== null && !isIdentifier(instance))
    return invalid('instance', instance, 'up to 128 characters');
  return {
    space,
    routing,
    ...(dialect === undefined ? {} : { dialect }),
    records: records === 'true',
    ...(after === null ? {} : { after: Number(after) }),
    ...(instance === null ? {} : { instance }),
  };
}

function invalid(field: string, found: string | null, expected: string): { readonly refused: Refusal } {
  const sentence = found === null ? `The URL names no ${field}.` : `${field} in the URL is invalid.`;
  return {
    refused: refuse(found === null ? 'missing_field' : 'invalid_field', sentence, { field, found, expected }),
  };
}
