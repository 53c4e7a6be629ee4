/**
 * Some servers keep an answer of type `application/json` open and write one message per line, as the example
 * server of the MCP conformance suite does. The MCP library reads only a complete answer or an event stream,
 * so such an answer becomes a stream. Any other is unchanged.
 */
export async function linesAsEvents(response: Response): Promise<Response> {
  const { status, headers, body } = response;
  const isJson = headers.get('content-type')?.startsWith('application/json') === true;
  if (!response.ok || !isJson || body === null || headers.has('content-length')) return response;
  const reader = body.pipeThrough(new TextDecoderStream()).getReader();
  let text = '';
  let isComplete = false;
  /** Reads until the condition holds, or to the end. */
  const readUntil = async (isEnough: () => boolean): Promise<void> => {
    while (!isComplete && !isEnough()) {
      const { value, done } = await reader.read();
      text += value ?? '';
      isComplete = done;
    }
  };
  const hasLine = (): boolean => text.includes('\n');
  await readUntil(hasLine);
  if (!isWhole(text.slice(0, text.indexOf('\n') + 1))) {
    await readUntil(() => false);
    return new Response(text, { status, headers });
  }
  const events = new ReadableStream<string>({
    async pull(controller) {
      // With an empty queue, nobody would pull again.
      await readUntil(hasLine);
      const lines = text.split('\n');
      text = isComplete ? '' : (lines.pop() ?? '');
      for (const line of lines) if (line.trim() !== '') controller.enqueue(`data: ${line.trim()}\n\n`);
      if (isComplete) controller.close();
    },
    cancel: (reason) => reader.cancel(reason),
  });
  const stream = events.pipeThrough(new TextEncoderStream());
  const changed = new Headers(headers);
  changed.set('content-type', 'text/event-stream');
  return new Response(stream, { status, headers: changed });
}

function isWhole(line: string): boolean {
  try {
    JSON.parse(line);
    return true;
  } catch {
    return false;
  }
}
