import { serverInfoIn } from '@proffer/mcp';
import type { Target } from './server-behind.js';

/**
 * Says once what a server calls itself. It is not named after that: rules and trusted tools go by the name, which is for
 * the operator to choose and not for the server.
 */
export function sayName(
  open: Target['open'],
  { name, log }: { readonly name: string; readonly log: (line: string) => void },
): Target['open'] {
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
