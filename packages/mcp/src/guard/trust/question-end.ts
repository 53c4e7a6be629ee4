import {
  ConnectionClosedError,
  OutboxFullError,
  ProposalExpiredError,
  ProposalRejectedError,
  ProposalWithdrawnError,
  RefusedError,
} from '@proffer/client/participation';

/**
 * What it means that a question was not answered with yes: `no`, it is not asked again for a while; `unheard`, we are
 * leaving, and it stays open without us; `unasked`, the gateway did not accept it, so it is asked again; `void`, the
 * answer had no effect, so a new question is asked.
 */
export type QuestionEnd = 'no' | 'unheard' | 'unasked' | 'void';

export function endOfQuestion(error: unknown): QuestionEnd {
  if (error instanceof ConnectionClosedError) return 'unheard';
  // An earlier release asked the same question in other words, with the same id.
  if (error instanceof RefusedError && error.code === 'id_conflict') return 'void';
  if (error instanceof RefusedError || error instanceof OutboxFullError) return 'unasked';
  const isNo =
    error instanceof ProposalRejectedError ||
    error instanceof ProposalExpiredError ||
    error instanceof ProposalWithdrawnError;
  return isNo ? 'no' : 'void';
}
