import { connect, type Message, type Participant } from '@proffer/client';
import { startOnLoopback } from '@proffer/gateway';

const CONFIG = `
dev: true
participants:
  agent-1: { spaces: { main: ['mcp.*', 'mcpx.*'] } }
  agent-2: { spaces: { main: ['mcp.*', 'mcpx.*'] } }
  trusted-agent: { spaces: { main: ['mcp.*', 'mcpx.*'] } }
`;

/** A gateway in this process and its participants. */
export interface Office extends AsyncDisposable {
  /** Joins as a participant over a real socket. */
  join(name: string): Promise<Participant>;
  /** Joins and serves the tool `send_report`; returns the reports it was asked to send. */
  openPostRoom(): Promise<readonly string[]>;
  /** Lets time pass for the gateway, in milliseconds. It stands still otherwise, so that a story is the same on any machine. */
  pass(time: number): void;
}

export async function openOffice(): Promise<Office> {
  let now = Date.now();
  const { gateway, url } = await startOnLoopback(CONFIG, { clock: () => now });
  const people: Participant[] = [];
  const join = async (name: string): Promise<Participant> => {
    const participant = await connect({ url, token: name, space: 'main' });
    people.push(participant);
    return participant;
  };
  return {
    join,
    async openPostRoom() {
      const sent: string[] = [];
      const tools = await join('tools');
      const handler = ({ title }: { readonly title?: unknown }): string => {
        sent.push(String(title));
        return `sent ${String(title)}`;
      };
      await tools.serve([{ name: 'send_report', description: 'Sends a report.', handler }]);
      return sent;
    },
    pass(time) {
      now += time;
    },
    async [Symbol.asyncDispose]() {
      await Promise.all(people.map((participant) => participant.close()));
      await gateway.close();
    },
  };
}

/** The params of the call used throughout. */
export const report = (title: string) => ({ name: 'send_report', arguments: { title } });

/** Resolves when the gateway sends a notice of this kind about a proposal. */
export function noticed(participant: Participant, notice: string, proposal: string): Promise<Message> {
  return new Promise((resolve) => {
    const stop = participant.on('message', (message) => {
      const { kind, payload, correlationId } = message;
      if (kind !== 'system.notice' || payload['notice'] !== notice || correlationId !== proposal) return;
      stop();
      resolve(message);
    });
  });
}
