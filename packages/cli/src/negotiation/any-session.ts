import { type MacpClient, MacpSession, ProposalSession } from '@proffer/client/negotiation';
import { defined } from '@proffer/core/json';
import {
  type AnyProjection,
  PROPOSAL_MODE,
  ProposalProjection,
  projectionFor,
  SessionProjection,
} from '@proffer/core/negotiation';
import type { Style } from '../terminal/shell.js';

/** A session in any mode. */
export type AnySession = ProposalSession | MacpSession<AnyProjection>;

/** Joins a session, in whichever mode it is. */
export async function joinAny(client: MacpClient, sessionId: string): Promise<AnySession> {
  const { mode } = await client.getSession(sessionId);
  if (mode === PROPOSAL_MODE) return await ProposalSession.join(client, sessionId);
  const project = (options: Parameters<typeof projectionFor>[1]) => projectionFor(mode, options);
  const session: MacpSession<AnyProjection> = await MacpSession.join(client, sessionId, { project });
  return session;
}

/** The state of a negotiation, for programs. */
export function encodeProjection(projection: AnyProjection): object {
  const { commitment, commitmentHash } = projection;
  const outcome = defined({ commitment, commitmentHash });
  if (!(projection instanceof ProposalProjection)) {
    const phase = phaseOf(projection);
    const state = { messages: projection.transcript, negotiation: projection.encodeState() };
    return { ...defined({ phase }), ...state, ...outcome };
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

/** How far a negotiation has got, in the word of its mode; undefined for a mode that this version does not know. */
export function phaseOf(projection: AnyProjection): string | undefined {
  return projection instanceof SessionProjection ? undefined : projection.phase;
}

/** The phase of a negotiation, coloured; empty for a mode without phases. */
export function phaseWord(projection: AnyProjection, style: Style): string {
  const phase = phaseOf(projection);
  if (phase === undefined) return '';
  if (phase === 'Committed')
    return (projection.commitment?.outcome_positive ? style.green : style.red)(phase);
  return BAD_PHASES.has(phase) ? style.red(phase) : phase;
}

const BAD_PHASES: ReadonlySet<string> = new Set(['TerminalRejected', 'Failed', 'Declined']);
