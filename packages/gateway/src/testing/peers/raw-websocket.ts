/** The request that makes a WebSocket of a raw connection. */
export function upgradeRequest(path: string, token: string): string {
  return (
    `GET ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n` +
    `Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n` +
    `Authorization: Bearer ${token}\r\n\r\n`
  );
}

/** A text message as a client frames it, of 126 to 65,535 bytes; the mask is all zeros. */
export function maskedFrame(text: string): Buffer {
  const bytes = Buffer.from(text);
  const header = Buffer.from([0x81, 0x80 | 126, bytes.length >> 8, bytes.length & 0xff, 0, 0, 0, 0]);
  return Buffer.concat([header, bytes]);
}
