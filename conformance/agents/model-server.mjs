// A model on loopback: it asks for one call of the shell, and is done when it has heard what came of it.
import { once } from 'node:events';
import { createServer } from 'node:http';
import { DIALECTS } from './dialects.mjs';

/**
 * @typedef {object} Script
 * @property {string} command - the line that the model wants to be run
 * @property {string[]} heard - what the agent told it about its calls, as JSON
 */

/**
 * Serves the scripted model. It is also the proxy that agents are given for everything else: it refuses that, and keeps
 * the names of the hosts.
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
    const { heard, command } = script();
    const results = dialect.results(asked);
    for (const result of results) heard.push(JSON.stringify(result));
    const isDone = results.length > 0 || !dialect.hasShell(asked);
    const answer = isDone ? dialect.say(asked, 'Done.') : dialect.call(asked, command);
    if ('whole' in answer)
      return response
        .writeHead(200, { 'content-type': 'application/json' })
        .end(JSON.stringify(answer.whole));
    return response.writeHead(200, { 'content-type': 'text/event-stream' }).end(answer.events.join(''));
  });
  server.on('connect', ({ url = '' }, socket) => {
    elsewhere.add(url);
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
