import { describe, expect, it } from 'vitest';
import { linesAsEvents } from './upstream-http.js';

const json = { 'content-type': 'application/json', 'mcp-session-id': 's' };

/** An answer that arrives in these pieces. */
function answerOf(...pieces: readonly string[]): Response {
  const parts = [...pieces];
  const body = new ReadableStream<Uint8Array>({
    pull(controller) {
      const part = parts.shift();
      if (part === undefined) controller.close();
      else controller.enqueue(new TextEncoder().encode(part));
    },
  });
  return new Response(body, { headers: json });
}

describe('answer of type application/json', () => {
  it('with one message per line becomes an event stream, however it is split', async () => {
    const read = await linesAsEvents(answerOf('{"a":', '1}\n{"b"', ':"é"}\n\n', '{"c":3}'));
    expect(read.headers.get('content-type')).toBe('text/event-stream');
    expect(read.headers.get('mcp-session-id')).toBe('s');
    expect(await read.text()).toBe('data: {"a":1}\n\ndata: {"b":"é"}\n\ndata: {"c":3}\n\n');
  });

  it('is read while the server writes it', async () => {
    let write: ReadableStreamDefaultController<Uint8Array> | undefined;
    const body = new ReadableStream<Uint8Array>({ start: (controller) => void (write = controller) });
    write?.enqueue(new TextEncoder().encode('{"a":1}\n'));
    const reader = (await linesAsEvents(new Response(body, { headers: json }))).body?.getReader();
    expect(new TextDecoder().decode((await reader?.read())?.value)).toBe('data: {"a":1}\n\n');
    write?.enqueue(new TextEncoder().encode('{"b":2}\n'));
    expect(new TextDecoder().decode((await reader?.read())?.value)).toBe('data: {"b":2}\n\n');
    await reader?.cancel();
  });

  it.each([
    ['without a line', ['{"a":1}']],
    ['over several lines', ['{\n', ' "a": 1\n', '}\n']],
    ['that is not JSON', ['<html>\n</html>']],
  ])('%s is unchanged', async (_title, pieces) => {
    const read = await linesAsEvents(answerOf(...pieces));
    expect(read.headers.get('content-type')).toBe('application/json');
    expect(await read.text()).toBe(pieces.join(''));
  });
});
