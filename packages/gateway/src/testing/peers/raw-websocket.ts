/** The request that upgrades a raw connection to a WebSocket. */
export function upgradeRequest(path: string, token: string): string {
  return (
    `GET ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n` +
    `Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n` +
    `Authorization: Bearer ${token}\r\n\r\n`
  );
}

/** A text message in a client frame, of 126 to 65,535 bytes; the mask is all zeros. */
export function maskedFrame(text: string): Buffer {
  const bytes = Buffer.from(text);
  const header = Buffer.from([0x81, 0x80 | 126, bytes.length >> 8, bytes.length & 0xff, 0, 0, 0, 0]);
  return Buffer.concat([header, bytes]);
}
