import { type ReadEnvelope, RUNTIME } from '@proffer/core/negotiation';
import type { Style } from '../terminal/style.js';
import { formatSpan } from '../terminal/time.js';
import { visible } from '../terminal/visible.js';

/** Who said what in a negotiation, in a few words. Everything is made visible; only the colours are ours. */
export interface Words {
  readonly who: string;
  readonly what: string;
  readonly detail: string;
}

/** An accepted message as one line. */
export function wordsFor(envelope: ReadEnvelope, style: Style): Words {
  const who = envelope.sender === RUNTIME ? 'runtime' : visible(envelope.sender);
  switch (envelope.message_type) {
    case 'SessionStart': {
      const { intent, participants, ttl_ms } = envelope.payload;
      const names = participants.map(visible).join(', ');
      return {
        who,
        what: style.bold('starts'),
        detail: `${visible(intent)}  (${names}; ${formatSpan(ttl_ms)})`,
      };
    }
    case 'Proposal': {
      const { proposal_id, title, summary } = envelope.payload;
      return { who, what: style.cyan('proposes'), detail: offer(proposal_id, title, summary) };
    }
    case 'CounterProposal': {
      const { proposal_id, supersedes_proposal_id, title, summary } = envelope.payload;
      const instead = `instead of ${visible(supersedes_proposal_id)}`;
      return {
        who,
        what: style.cyan('counters'),
        detail: `${offer(proposal_id, title, summary)}  ${instead}`,
      };
    }
    case 'Accept':
      return { who, what: style.green('accepts'), detail: remark(envelope.payload) };
    case 'Reject': {
      const terminally = envelope.payload.terminal ? 'terminally  ' : '';
      return { who, what: style.red('rejects'), detail: `${terminally}${remark(envelope.payload)}` };
    }
    case 'Withdraw':
      return { who, what: style.yellow('withdraws'), detail: remark(envelope.payload) };
    case 'Commitment': {
      const { action, outcome_positive, reason } = envelope.payload;
      const what = outcome_positive ? style.green('commits') : style.red('commits (negative)');
      return { who, what, detail: `${visible(action)}  ${visible(reason)}` };
    }
    case 'SessionCancel':
      return {
        who: visible(envelope.payload.cancelled_by),
        what: style.red('cancels'),
        detail: visible(envelope.payload.reason),
      };
    case 'SessionSuspend':
      return {
        who: visible(envelope.payload.suspended_by),
        what: style.yellow('suspends'),
        detail: visible(envelope.payload.reason),
      };
    case 'SessionResume':
      return {
        who: visible(envelope.payload.resumed_by),
        what: style.green('resumes'),
        detail: visible(envelope.payload.reason),
      };
    case 'TtlExpired':
      return { who, what: style.yellow('expires'), detail: 'timed out' };
  }
}

function offer(id: string, title: string, summary: string): string {
  return `${visible(id)}  ${[title, summary]
    .filter((text) => text !== '')
    .map(visible)
    .join(': ')}`.trimEnd();
}

function remark({ proposal_id, reason }: { readonly proposal_id: string; readonly reason: string }): string {
  return `${visible(proposal_id)}  ${visible(reason)}`.trimEnd();
}
