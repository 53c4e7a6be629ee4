import './needs-gateway.mjs';
import { devAgent, grpcTransport, MacpClient, ProposalSession } from '@proffer/client/negotiation';

const target = process.env.PROFFER_GRPC ?? '127.0.0.1:50051';
const client = new MacpClient({ transport: grpcTransport({ target }), auth: devAgent('buyer') });
const session = new ProposalSession(client);

await session.start({ intent: 'a service contract', participants: ['buyer', 'seller'], ttlMs: 600_000 });
await session.propose('p1', 'Standard', { summary: '$100k a year', sender: 'seller' });
await session.counterPropose('p2', 'p1', 'Better', { summary: '$80k a year' });
await session.accept('p2', { sender: 'seller' });
await session.commit({ action: 'contract.agreed', authorityScope: 'procurement', reason: 'both agree' });

console.log(session.projection.phase, session.projection.acceptedProposal());
await session.close();
await client.close();
