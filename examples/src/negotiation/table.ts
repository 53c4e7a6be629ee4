import { devAgent, grpcTransport, MacpClient, type ProposalSession } from '@proffer/client/negotiation';
import type { ProposalMessage } from '@proffer/core/negotiation';
import { startOnLoopback } from '@proffer/gateway';
import { line, type Print } from '../story.js';

/** A gateway in this process where parties negotiate over gRPC. */
export interface Table extends AsyncDisposable {
  /** Its address, for parties in other processes. */
  readonly target: string;
  /** Adds a party; in dev mode tokens equal names. */
  join(name: string): MacpClient;
}

export async function openTable(): Promise<Table> {
  const { gateway, target } = await startOnLoopback();
  const clients: MacpClient[] = [];
  return {
    target,
    join(name) {
      const client = new MacpClient({ transport: grpcTransport({ target }), auth: devAgent(name) });
      clients.push(client);
      return client;
    },
    async [Symbol.asyncDispose]() {
      await Promise.all(clients.map((client) => client.close()));
      await gateway.close();
    },
  };
}

/** Prints what was accepted in a session since the last call, as seen by a party that follows it. */
export function createNarrator(print: Print): (party: ProposalSession) => void {
  let told = 0;
  return ({ projection: { transcript } }) => {
    for (const { sender, message_type, payload } of transcript.slice(told)) {
      print(line(sender, message_type, detailOf(payload)));
    }
    told = transcript.length;
  };
}

function detailOf(payload: ProposalMessage['payload']): string {
  if ('intent' in payload) return payload.intent;
  if ('action' in payload) return `${payload.action}: ${payload.reason}`;
  if ('title' in payload) return `${payload.proposal_id}: ${payload.title}, ${payload.summary}`;
  if ('proposal_id' in payload) return [payload.proposal_id, payload.reason].filter(Boolean).join(': ');
  return '';
}
