import { defined } from '@proffer/core/json';
import { httpBase } from './addresses.js';
import { type OpenSocket, readRefusalBody, type SocketEnd } from './socket.js';

/** The gateway's subprotocol, and the one that carries the token where no header can be set. */
const SUBPROTOCOL = 'proffer.v1';
const TOKEN_PREFIX = 'proffer.token.';

/** The host's WebSocket: the token goes in a subprotocol. */
export const openBrowserSocket: OpenSocket = ({ url, token, probe = feedAddress(url) }, events) => {
  const socket = new WebSocket(url, [SUBPROTOCOL, TOKEN_PREFIX + base64url(token)]);
  let wasOpen = false;
  socket.addEventListener('open', () => {
    wasOpen = true;
    events.onOpen?.();
  });
  socket.addEventListener('message', ({ data }) => {
    if (typeof data === 'string') events.onText(data);
  });
  // The close event follows; some hosts end the process over an unhandled error event.
  socket.addEventListener('error', () => {});
  socket.addEventListener('close', ({ code }) => {
    // A browser does not say why a connection was refused, so the same is asked over HTTP.
    if (wasOpen) events.onClose({ code });
    else void askWhy(probe, token).then((end) => events.onClose({ code, ...end }));
  });
  return {
    send: (text) => socket.send(text),
    close: () => socket.close(1000),
  };
};

function base64url(text: string): string {
  const bytes = new TextEncoder().encode(text);
  const binary = Array.from(bytes, (byte) => String.fromCharCode(byte)).join('');
  return btoa(binary).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');
}

/**
 * The feed behind a WebSocket's address, from the same position on: it refuses the same clients as
 * the WebSocket.
 */
function feedAddress(socketUrl: string): string {
  const { searchParams } = new URL(socketUrl);
  const space = encodeURIComponent(searchParams.get('space') ?? '');
  // Without a position there is nothing to miss, and the answer is small if we are accepted after
  // all.
  return `${httpBase(socketUrl)}/spaces/${space}/feed?after=${searchParams.get('after') ?? 'now'}`;
}

/** Asks the gateway over HTTP why it refuses us; nothing if it is unreachable or does not refuse. */
async function askWhy(url: string, token: string): Promise<Pick<SocketEnd, 'refusal' | 'cause'>> {
  try {
    const response = await fetch(url, { headers: { authorization: `Bearer ${token}` } });
    const refusal = response.ok ? undefined : readRefusalBody(await response.text());
    return defined({ refusal });
  } catch (cause) {
    return { cause };
  }
}
