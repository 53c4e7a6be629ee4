import './needs-gateway.mjs';
import { devAgent, grpcTransport, MacpClient, ProposalSession } from '@proffer/client/negotiation';

const target = process.env.PROFFER_GRPC ?? '127.0.0.1:50051';
const [most = 85, least = 75] = process.argv.slice(2).map(Number);

/**
 * Answers each offer of the other side until the session is over. Neither side knows the other's limit.
 *
 * @param {ProposalSession} session
 * @param {{ me: string, price: number, step: number, isGood: (price: number) => boolean }} side
 */
async function bargain(session, { me, price, step, isGood }) {
  for await (const { envelope } of session.envelopes()) {
    const { sender, message_type: type, payload } = envelope;
    if (sender === me) continue;
    if (type === 'Proposal' || type === 'CounterProposal') {
      const { proposal_id: offer, summary } = payload;
      console.log(`${sender} offers ${summary}`);
      if (isGood(Number(summary))) await session.accept(offer);
      else if (!isGood(price)) await session.reject(offer, { terminal: true, reason: `${me} has a limit` });
      else await session.counterPropose(`${me}-${price}`, offer, 'A price', { summary: String(price) });
      price += step;
    }
    // The other side accepts my offer, and I stand by it.
    if (type === 'Accept' && !session.projection.accepts.has(me)) await session.accept(payload.proposal_id);
    if (me === 'buyer') await conclude(session);
  }
}

/**
 * The side that started the session also commits its outcome, once.
 *
 * @param {ProposalSession} session
 */
async function conclude(session) {
  const { projection } = session;
  const about = { authorityScope: 'procurement' };
  if (projection.isCommitted) return;
  if (projection.isConverged())
    await session.commit({ ...about, action: 'price.agreed', reason: 'both accept' });
  else if (projection.hasTerminalRejection())
    await session.commit({ ...about, action: 'price.open', reason: 'too far apart', outcomePositive: false });
}

const buyer = new MacpClient({ transport: grpcTransport({ target }), auth: devAgent('buyer') });
const seller = new MacpClient({ transport: grpcTransport({ target }), auth: devAgent('seller') });
const started = new ProposalSession(buyer);
await started.start({ intent: 'a price for toner', participants: ['buyer', 'seller'], ttlMs: 60_000 });
const joined = await ProposalSession.join(seller, started.sessionId);

await joined.propose('seller-100', 'A price', { summary: '100' });
await Promise.all([
  bargain(started, { me: 'buyer', price: 60, step: 8, isGood: (price) => price <= most }),
  bargain(joined, { me: 'seller', price: 93, step: -7, isGood: (price) => price >= least }),
]);

const { projection } = started;
console.log(projection.isPositiveOutcome ? `Agreed on ${projection.acceptedProposal()}` : 'No deal');
await Promise.all([buyer.close(), seller.close()]);
