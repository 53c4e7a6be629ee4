import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { withTaskCapabilityV2 } from '@modelcontextprotocol/ext-tasks/core/v2';
import type { JsonObject } from '@proffer/core/json';
import { textAt } from '../json-rpc.js';

/** 2026-07-28 requests that declare tasks, each a separate POST. */
export function modernRequests(address: URL) {
  let id = 0;
  return async (method: string, params: JsonObject): Promise<JsonObject> => {
    const declared = withTaskCapabilityV2({
      ...params,
      _meta: {
        'io.modelcontextprotocol/protocolVersion': '2026-07-28',
        'io.modelcontextprotocol/clientInfo': { name: 'test', version: '1.0.0' },
        'io.modelcontextprotocol/clientCapabilities': {},
      },
    } as never);
    const response = await fetch(address, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
        'mcp-protocol-version': '2026-07-28',
        'mcp-method': method,
        'mcp-name': textAt(params, 'name') || textAt(params, 'taskId'),
      },
      body: JSON.stringify({ jsonrpc: '2.0', id: ++id, method, params: declared }),
    });
    const text = await response.text();
    const [, data = text] = /^data: (.*)$/m.exec(text) ?? [];
    return (JSON.parse(data) as { result: JsonObject }).result;
  };
}

/** A request with another Host header, which `fetch` does not allow. */
export async function rawPost({ port }: URL, host: string): Promise<string> {
  const script = `require('net').connect(${port},'127.0.0.1',function(){this.write('POST /mcp HTTP/1.1\\r\\nHost: ${host}\\r\\nConnection: close\\r\\nContent-Length: 0\\r\\n\\r\\n')}).pipe(process.stdout)`;
  const child: ChildProcess = spawn(process.execPath, ['-e', script], {
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  let text = '';
  child.stdout?.on('data', (chunk: Buffer) => {
    text += chunk.toString();
  });
  await once(child, 'close');
  return text;
}

/** Sends a POST with a JSON body, and reads nothing of the answer. */
export function postUnread(
  { port, pathname }: URL,
  headers: Readonly<Record<string, string>>,
  body: JsonObject,
): Socket {
  const text = JSON.stringify(body);
  const sent = {
    host: `127.0.0.1:${port}`,
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream',
    'content-length': String(Buffer.byteLength(text)),
    ...headers,
  };
  const lines = Object.entries(sent).map(([name, value]) => `${name}: ${value}`);
  const socket = connect(Number(port), '127.0.0.1');
  socket.pause().write(`POST ${pathname} HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n${text}`);
  return socket;
}
