import type { IncomingMessage } from 'node:http';

/** The longest body that is taken, in bytes. */
const LONGEST = 16 * 1_048_576;

/** The JSON in the body of a request, or what is wrong with it. */
export async function readBody(
  request: IncomingMessage,
): Promise<{ readonly value: unknown } | { readonly status: number; readonly problem: string }> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > LONGEST) return { status: 413, problem: `The body has more than ${LONGEST} bytes.` };
    chunks.push(chunk);
  }
  try {
    return { value: JSON.parse(Buffer.concat(chunks).toString('utf8')) };
  } catch {
    return { status: 400, problem: 'The body is not JSON.' };
  }
}
