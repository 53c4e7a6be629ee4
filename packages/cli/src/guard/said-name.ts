import { type Channel, serverInfoIn } from '@proffer/mcp';

/**
 * Says once what a server calls itself. It is not named after that: rules and trusted tools go by the name, which is for
 * the operator to choose and not for the server.
 */
export function sayName(
  open: () => Channel,
  { name, log }: { readonly name: string; readonly log: (line: string) => void },
): () => Channel {
  let said: string | undefined;
  return () => {
    const channel = open();
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
