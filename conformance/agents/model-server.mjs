// A model on loopback: it asks for one shell call, and finishes when it gets the result.
import { once } from 'node:events';
import { createServer } from 'node:http';
import { DIALECTS } from './dialects.mjs';

/**
 * @typedef {object} Script
 * @property {string} command - the command the model wants to run
 * @property {{ tool: string, arguments: Record<string, string> }} [call] - the tool of an MCP server that it wants to call instead
 * @property {string[]} heard - the agent's reports about its calls, as JSON
 */

/**
 * Serves the scripted model. It also acts as the agents' proxy for everything else, which it refuses while
 * recording the host names.
 *
 * @param {() => Script} script
 */
export async function startModel(script) {
  /** @type {Set<string>} */
  const elsewhere = new Set();
  const server = createServer(async (request, response) => {
    const { url = '', method } = request;
    let text = '';
    for await (const part of request.setEncoding('utf8')) text += part;
    if (/^https?:/.test(url)) {
      elsewhere.add(new URL(url).host);
      return response.writeHead(403).end();
    }
    const dialect = DIALECTS.find(({ path }) => path.test(url));
    if (dialect === undefined || method !== 'POST') return response.writeHead(404).end('{}');
    const asked = JSON.parse(text);
    asked.isStreamed = asked.stream === true || url.includes(':stream');
    const { heard, command, call } = script();
    const results = dialect.results(asked);
    for (const result of results) heard.push(JSON.stringify(result));
    const isDone = results.length > 0 || !dialect.hasShell(asked);
    const callOf = () =>
      call === undefined || dialect.callServer === undefined
        ? dialect.call(asked, command)
        : dialect.callServer(asked, call.tool, call.arguments);
    const answer = isDone ? dialect.say(asked, 'Done.') : callOf();
    if ('whole' in answer)
      return response
        .writeHead(200, { 'content-type': 'application/json' })
        .end(JSON.stringify(answer.whole));
    return response.writeHead(200, { 'content-type': 'text/event-stream' }).end(answer.events.join(''));
  });
  server.on('connect', ({ url = '' }, socket) => {
    elsewhere.add(url);
    // It may hang up first.
    socket.on('error', () => {});
    socket.end('HTTP/1.1 403 Forbidden\r\n\r\n');
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = /** @type {import('node:net').AddressInfo} */ (server.address());
  return {
    url: `http://127.0.0.1:${port}`,
    elsewhere,
    close() {
      server.close();
      server.closeAllConnections();
    },
  };
}
