import type { JsonObject } from '@proffer/core/json';
import type { Participant, Tool } from '../node.js';

/** The params for calling the tool below. */
export const writing = (path: string) => ({ name: 'write_file', arguments: { path } });

/** Serves a tool that records its calls. */
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

/** The answer of the tool above. */
export const wrote = (path: string): JsonObject => ({
  content: [{ type: 'text', text: `wrote ${JSON.stringify(path)}` }],
});
