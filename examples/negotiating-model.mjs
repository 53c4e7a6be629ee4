import './needs-gateway.mjs';
import { devAgent, grpcTransport, MacpClient, ProposalSession } from '@proffer/client/negotiation';

const target = process.env.PROFFER_GRPC ?? '127.0.0.1:50051';
const { MODEL_URL = 'https://api.openai.com/v1', MODEL = 'gpt-5-mini', MODEL_KEY = '' } = process.env;
const MOST = 85;
const TASK = `You buy toner for at most ${MOST}. Answer with JSON only: {"answer": "accept"} to take the last offer of the
seller, {"answer": "counter", "price": NUMBER} to offer less, or {"answer": "reject"} to end it.`;

/**
 * Asks the model for the next step.
 *
 * @param {string} said - the negotiation so far
 * @returns {Promise<{ answer: string, price?: number }>}
 */
async function ask(said) {
  const messages = [
    { role: 'system', content: TASK },
    { role: 'user', content: said },
  ];
  const response = await fetch(`${MODEL_URL}/chat/completions`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${MODEL_KEY}` },
    body: JSON.stringify({ model: MODEL, messages, response_format: { type: 'json_object' } }),
  });
  if (!response.ok) throw new Error(`The model answered with status ${response.status}.`);
  const { choices } = await response.json();
  return JSON.parse(choices[0].message.content);
}

/**
 * The buyer: the model chooses, and the program keeps the limit.
 *
 * @param {ProposalSession} session
 */
async function buy(session) {
  const said = [];
  for await (const { envelope } of session.envelopes()) {
    const { sender, message_type: type, payload } = envelope;
    if (type === 'Accept' && !session.projection.accepts.has('buyer'))
      await session.accept(payload.proposal_id);
    if (type === 'Proposal' || type === 'CounterProposal') said.push(`${sender} offers ${payload.summary}`);
    if (sender === 'seller' && (type === 'Proposal' || type === 'CounterProposal')) {
      const { answer, price = 0 } = await ask(said.join('\n'));
      const offer = payload.proposal_id;
      if (answer === 'accept' && Number(payload.summary) <= MOST) await session.accept(offer);
      else if (answer === 'counter' && price > 0 && price <= MOST)
        await session.counterPropose(`buyer-${price}`, offer, 'A price', { summary: String(price) });
      else await session.reject(offer, { terminal: true, reason: 'over the limit, or no answer' });
    }
    const { projection } = session;
    if (projection.isCommitted) break;
    const about = { authorityScope: 'procurement' };
    if (projection.isConverged())
      await session.commit({ ...about, action: 'price.agreed', reason: 'both accept' });
    else if (projection.hasTerminalRejection())
      await session.commit({ ...about, action: 'price.open', reason: 'no deal', outcomePositive: false });
  }
  return said;
}

/**
 * The seller: a script that goes down by 7 from 100, to 75 at least.
 *
 * @param {ProposalSession} session
 */
async function sell(session) {
  let price = 100;
  await session.propose(`seller-${price}`, 'A price', { summary: String(price) });
  for await (const { envelope } of session.envelopes()) {
    const { sender, message_type: type, payload } = envelope;
    if (type === 'Accept' && !session.projection.accepts.has('seller'))
      await session.accept(payload.proposal_id);
    if (sender !== 'buyer' || type !== 'CounterProposal') continue;
    price -= 7;
    if (Number(payload.summary) >= Math.max(75, price)) await session.accept(payload.proposal_id);
    else {
      const next = String(Math.max(75, price));
      await session.counterPropose(`seller-${next}`, payload.proposal_id, 'A price', { summary: next });
    }
  }
}

const buyer = new MacpClient({ transport: grpcTransport({ target }), auth: devAgent('buyer') });
const seller = new MacpClient({ transport: grpcTransport({ target }), auth: devAgent('seller') });
const started = new ProposalSession(buyer);
await started.start({ intent: 'a price for toner', participants: ['buyer', 'seller'], ttlMs: 300_000 });
const joined = await ProposalSession.join(seller, started.sessionId);
const [said] = await Promise.all([buy(started), sell(joined)]);
console.log(said.join('\n'));
const { projection } = started;
console.log(projection.isPositiveOutcome ? `Agreed on ${projection.acceptedProposal()}` : 'No deal');
await Promise.all([buyer.close(), seller.close()]);
