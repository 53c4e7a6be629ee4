import { McpServer, ResourceTemplate } from '@modelcontextprotocol/server';

/** A small MCP server with something to read: a resource, a resource template and a prompt. */
export function createLibraryServer(): McpServer {
  const server = new McpServer({ name: 'library', version: '1.0.0' });
  const page = (uri: URL, text: string) => ({ contents: [{ uri: uri.href, text }] });
  server.registerResource('index', 'library://index', { description: 'All books.' }, (uri) =>
    page(uri, 'one book'),
  );
  server.registerResource(
    'book',
    new ResourceTemplate('library://books/{title}', {
      list: undefined,
      complete: { title: (value) => ['dune', 'emma'].filter((title) => title.startsWith(value)) },
    }),
    {},
    (uri, { title }) => page(uri, `the text of ${String(title)}`),
  );
  server.registerPrompt('praise', { description: 'Praises the library.' }, () => ({
    messages: [{ role: 'user', content: { type: 'text', text: 'Praise the library.' } }],
  }));
  return server;
}
