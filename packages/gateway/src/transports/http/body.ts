import type { IncomingMessage } from 'node:http';
import { failure, type Result, refuse, success } from '@proffer/core';

/** The text of a request's body, or why it is refused: too large, truncated, or not UTF-8. */
export async function readBody(request: IncomingMessage, maxBytes: number): Promise<Result<string>> {
  const declared = Number(request.headers['content-length'] ?? 0);
  if (declared > maxBytes) return refuseSize(request, maxBytes, declared);
  const chunks: Buffer[] = [];
  let size = 0;
  try {
    // The connection must stay open for the answer to get through.
    for await (const chunk of request.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
      size += chunk.length;
      if (size > maxBytes) return refuseSize(request, maxBytes, size);
      chunks.push(chunk);
    }
  } catch {
    return failure(refuse('invalid_json', 'The message was cut off.', { expected: 'a whole message' }));
  }
  try {
    return success(new TextDecoder('utf-8', { fatal: true }).decode(Buffer.concat(chunks)));
  } catch {
    return failure(refuse('invalid_json', 'The message is not UTF-8.', { expected: 'UTF-8 text' }));
  }
}

function refuseSize(request: IncomingMessage, maxBytes: number, found: number): Result<never> {
  // The rest is read and dropped: a client that only sends would not see the answer.
  request.resume();
  const what = `The message has more than the ${maxBytes} bytes allowed.`;
  return failure(refuse('too_large', what, { found, expected: `at most ${maxBytes} bytes` }));
}
