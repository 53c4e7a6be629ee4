import { serverInfoIn } from '@proffer/mcp';
import type { ServerTarget } from './server-behind.js';

/**
 * Reports once what a server calls itself. The guard does not use that name: rules and trusted tools refer to
 * a name that the operator chooses, not the server.
 */
export function reportName(
  open: ServerTarget['open'],
  { name, log }: { readonly name: string; readonly log: (line: string) => void },
): ServerTarget['open'] {
  let said: string | undefined;
  return (credential) => {
    const channel = open(credential);
    return {
      ...channel,
      open: (events) =>
        channel.open({
          ...events,
          onMessage(message, text) {
            const info = said === undefined ? serverInfoIn(message) : undefined;
            if (info !== undefined) {
              said = info;
              log(`${name} calls itself ${JSON.stringify(info)}.`);
            }
            events.onMessage(message, text);
          },
        }),
    };
  };
}
