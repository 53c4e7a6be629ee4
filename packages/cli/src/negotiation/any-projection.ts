import { type MacpClient, MacpSession, ProposalSession } from '@proffer/client/negotiation';
import { defined } from '@proffer/core/json';
import {
  type NegotiationPhase,
  PROPOSAL_MODE,
  type ProjectionOptions,
  ProposalProjection,
  SessionProjection,
} from '@proffer/core/negotiation';
import type { Style } from '../terminal/shell.js';

/** What the messages of a session add up to: in Proposal Mode with its offers, in another without. */
export type AnyProjection = ProposalProjection | SessionProjection;

/** A session in any mode. */
export type AnySession = ProposalSession | MacpSession;

/** The projection of a session in a mode. */
export function projectionFor(mode: string, options: ProjectionOptions): AnyProjection {
  return mode === PROPOSAL_MODE ? new ProposalProjection(options) : new SessionProjection(options);
}

/** Joins a session, in whichever mode it is. */
export async function joinAny(client: MacpClient, sessionId: string): Promise<AnySession> {
  const { mode } = await client.getSession(sessionId);
  if (mode === PROPOSAL_MODE) return await ProposalSession.join(client, sessionId);
  const session: MacpSession = await MacpSession.join(client, sessionId);
  return session;
}

/** The state of a negotiation, for programs. */
export function encodeProjection(projection: AnyProjection): object {
  const { commitment, commitmentHash } = projection;
  const outcome = defined({ commitment, commitmentHash });
  if (projection instanceof SessionProjection) {
    return { messages: projection.transcript, negotiation: projection.encodeState(), ...outcome };
  }
  const accepted = projection.acceptedProposal();
  return {
    phase: projection.phase,
    proposals: [...projection.proposals.values()],
    accepts: [...projection.accepts.values()],
    rejections: projection.rejections,
    ...defined({ acceptedProposal: accepted }),
    isConverged: projection.isConverged(),
    ...outcome,
  };
}

/** The phase of a negotiation, coloured; empty for a mode without phases. */
export function phaseWord(projection: AnyProjection, style: Style): string {
  return projection instanceof SessionProjection ? '' : inColour(projection.phase, style);
}

function inColour(phase: NegotiationPhase, style: Style): string {
  switch (phase) {
    case 'Negotiating':
      return phase;
    case 'TerminalRejected':
      return style.red(phase);
    case 'Committed':
      return style.green(phase);
  }
}
