import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { toNodeHandler } from '@modelcontextprotocol/node';
import { createMcpHandler } from '@modelcontextprotocol/server';
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import { createShowcaseServer, DOCUMENT, registerAdded, type Showcase } from './showcase-server.js';

/**
 * The showcase as a process: `showcase-main` over stdio, `showcase-main http` over Streamable HTTP on a free
 * port, printed as `listening ADDRESS` on stderr.
 */
const state: Showcase = { isChanged: false, begun: 0, calledOff: 0, tellOfChange: () => {} };

if (process.argv[2] === 'http') {
  const handler = createMcpHandler(() => createShowcaseServer(state));
  state.tellOfChange = () => {
    handler.notify.toolsChanged();
    handler.notify.promptsChanged();
    handler.notify.resourcesChanged();
    handler.notify.resourceUpdated(DOCUMENT);
  };
  const answer = toNodeHandler(handler);
  const http = createServer((request, response) => {
    void answer(request as Parameters<typeof answer>[0], response);
  });
  http.listen(0, '127.0.0.1', () => {
    const { port } = http.address() as AddressInfo;
    process.stderr.write(`listening http://127.0.0.1:${port}/mcp\n`);
  });
} else {
  state.tellOfChange = (server) => {
    registerAdded(server);
    void server.server.sendResourceUpdated({ uri: DOCUMENT });
  };
  serveStdio(() => createShowcaseServer(state));
}
