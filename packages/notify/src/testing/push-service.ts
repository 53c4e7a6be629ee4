import { createDecipheriv, createECDH, createPublicKey, hkdfSync, randomBytes, verify } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';

/** What a browser received: what only it can read, and what the service saw of it. */
export interface Pushed {
  readonly payload: Readonly<Record<string, unknown>>;
  readonly headers: IncomingHttpHeaders;
  /** The key that signed it (VAPID), after its signature was verified. */
  readonly signedBy: string;
  readonly claims: Readonly<Record<string, unknown>>;
}

/** A push service with one browser. */
export interface PushService extends AsyncDisposable {
  readonly origin: string;
  /** The browser's subscription, for whoever may push to it. */
  readonly subscription: {
    readonly endpoint: string;
    readonly keys: { readonly p256dh: string; readonly auth: string };
  };
  readonly pushed: readonly Pushed[];
  until(count: number): Promise<readonly Pushed[]>;
  /** The browser unsubscribes. */
  leave(): void;
}

/**
 * A real push service on this machine; it decrypts as a browser does (RFC 8188, 8291) and verifies
 * the sender (RFC 8292).
 */
export async function receivePushes(): Promise<PushService> {
  const browser = createECDH('prime256v1');
  const publicKey = browser.generateKeys();
  const auth = randomBytes(16);
  const pushed: Pushed[] = [];
  let isGone = false;
  let onMore = (): void => {};
  const server = createServer(async (request, response) => {
    const body = await buffer(request);
    if (isGone) return void response.writeHead(410).end();
    const text = decrypt(body, { browser, publicKey, auth });
    const { key, claims } = checkVapid(String(request.headers.authorization));
    pushed.push({
      payload: JSON.parse(text) as Pushed['payload'],
      headers: request.headers,
      signedBy: key,
      claims,
    });
    response.writeHead(201).end();
    onMore();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    origin,
    subscription: {
      endpoint: `${origin}/push/device-1`,
      keys: { p256dh: publicKey.toString('base64url'), auth: auth.toString('base64url') },
    },
    pushed,
    async until(count) {
      while (pushed.length < count) {
        await new Promise<void>((resolve) => {
          onMore = resolve;
        });
      }
      return pushed;
    },
    leave: () => {
      isGone = true;
    },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

interface Receiver {
  readonly browser: ReturnType<typeof createECDH>;
  readonly publicKey: Buffer;
  readonly auth: Buffer;
}

function decrypt(body: Buffer, { browser, publicKey, auth }: Receiver): string {
  const salt = body.subarray(0, 16);
  const idLength = body[20] ?? 0;
  const sender = body.subarray(21, 21 + idLength);
  const sealed = body.subarray(21 + idLength);
  const info = Buffer.concat([Buffer.from('WebPush: info\0'), publicKey, sender]);
  const secret = derive(browser.computeSecret(sender), auth, { info, length: 32 });
  const key = derive(secret, salt, { info: Buffer.from('Content-Encoding: aes128gcm\0'), length: 16 });
  const nonce = derive(secret, salt, { info: Buffer.from('Content-Encoding: nonce\0'), length: 12 });
  const cipher = createDecipheriv('aes-128-gcm', key, nonce);
  cipher.setAuthTag(sealed.subarray(-16));
  const padded = Buffer.concat([cipher.update(sealed.subarray(0, -16)), cipher.final()]);
  return padded.subarray(0, padded.lastIndexOf(2)).toString();
}

function derive(
  secret: Buffer,
  salt: Buffer,
  { info, length }: { readonly info: Buffer; readonly length: number },
): Buffer {
  return Buffer.from(hkdfSync('sha256', secret, salt, info, length));
}

/** `vapid t=JWT, k=KEY`: signed by that key, for this service, not expired. */
function checkVapid(authorization: string): { readonly key: string; readonly claims: Pushed['claims'] } {
  const [, jwt = '', key = ''] = /^vapid t=([^,]+), k=(.+)$/.exec(authorization) ?? [];
  const [head = '', claims = '', signature = ''] = jwt.split('.');
  const point = Buffer.from(key, 'base64url');
  const [x, y] = [point.subarray(1, 33), point.subarray(33)].map((part) => part.toString('base64url'));
  const publicKey = createPublicKey({
    key: { kty: 'EC', crv: 'P-256', x: x ?? '', y: y ?? '' },
    format: 'jwk',
  });
  const isRight = verify(
    'sha256',
    Buffer.from(`${head}.${claims}`),
    { key: publicKey, dsaEncoding: 'ieee-p1363' },
    Buffer.from(signature, 'base64url'),
  );
  if (!isRight) throw new Error('The signature of a push is wrong.');
  return { key, claims: JSON.parse(Buffer.from(claims, 'base64url').toString()) as Pushed['claims'] };
}
