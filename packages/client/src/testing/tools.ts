import type { JsonObject } from '@proffer/core/json';
import type { Participant, Tool } from '../node.js';

/** The params of a call of the tool below. */
export const writing = (path: string) => ({ name: 'write_file', arguments: { path } });

/** Serves a tool that keeps what it was asked for. */
export async function serveWriting(
  participant: Participant,
  handler: Tool['handler'] = ({ path }) => `wrote ${JSON.stringify(path)}`,
): Promise<readonly JsonObject[]> {
  const calls: JsonObject[] = [];
  await participant.serve([
    {
      name: 'write_file',
      description: 'Writes a file.',
      handler: (args, call) => {
        calls.push(args);
        return handler(args, call);
      },
    },
  ]);
  return calls;
}

/** What the tool above answers with. */
export const wrote = (path: string): JsonObject => ({
  content: [{ type: 'text', text: `wrote ${JSON.stringify(path)}` }],
});
