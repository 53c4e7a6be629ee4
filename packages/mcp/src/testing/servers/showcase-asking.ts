import { inputRequired, inputResponse, type McpServer } from '@modelcontextprotocol/server';

const text = (said: string) => ({ content: [{ type: 'text' as const, text: said }] });

const FORM = {
  type: 'object' as const,
  properties: { name: { type: 'string' as const } },
  required: ['name'],
};

/** Tools, a prompt and a resource that ask their caller for input before they answer (2026-07-28). */
export function registerAsking(server: McpServer): void {
  const requests = {
    elicit: inputRequired.elicit({ message: 'Who are you?', requestedSchema: FORM }),
    visit: inputRequired.elicitUrl({ message: 'Go there.', url: 'https://example.com/' }),
    sample: inputRequired.createMessage({
      messages: [{ role: 'user', content: { type: 'text', text: 'Say something.' } }],
      maxTokens: 10,
    }),
    roots: inputRequired.listRoots(),
  };
  for (const [name, request] of Object.entries(requests)) {
    server.registerTool(`ask-${name}`, {}, async ({ mcpReq }) => {
      const given = inputResponse(mcpReq.inputResponses, 'wanted');
      if (given.kind === 'missing') return inputRequired({ inputRequests: { wanted: request } });
      return text(JSON.stringify(given));
    });
  }
  server.registerTool('ask-rounds', {}, async ({ mcpReq }) => {
    const round = Number(mcpReq.requestState() ?? 0);
    if (round === 3) return text(`three rounds, then ${JSON.stringify(mcpReq.inputResponses)}`);
    const all = { one: requests.elicit, two: requests.sample };
    return inputRequired({
      inputRequests: round === 2 ? { three: requests.roots } : all,
      requestState: `${round + 1}`,
    });
  });
  server.registerPrompt('asking', {}, ({ mcpReq }) => {
    const given = inputResponse(mcpReq.inputResponses, 'wanted');
    if (given.kind === 'missing') return inputRequired({ inputRequests: { wanted: requests.elicit } });
    return { messages: [{ role: 'user', content: { type: 'text', text: JSON.stringify(given) } }] };
  });
  server.registerResource('asking', 'showcase://asking', {}, (uri, { mcpReq }) => {
    const given = inputResponse(mcpReq.inputResponses, 'wanted');
    if (given.kind === 'missing') return inputRequired({ inputRequests: { wanted: requests.elicit } });
    return { contents: [{ uri: uri.href, text: JSON.stringify(given) }] };
  });
}
