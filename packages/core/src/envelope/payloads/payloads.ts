import { formatKind, type Kind } from '../kind.js';
import { checkAnnouncedRules } from './announced-rules.js';
import { checkAnnouncement } from './announcement.js';
import { checkApproval } from './approval.js';
import { checkChat } from './chat.js';
import { checkAcceptance, checkCounter } from './counter.js';
import { checkDelegation } from './delegation.js';
import { checkGrant, checkRevocation } from './grant.js';
import { checkRequest, checkResponse } from './json-rpc.js';
import { checkRejection, checkRenewal, checkStatus, checkWithdrawal } from './lifecycle.js';
import { checkPause } from './pause.js';
import type { PayloadCheck } from './payload-check.js';
import { checkProposal } from './proposal.js';

/** The kinds whose payloads are checked; METHOD stands for any. */
const CHECKS: ReadonlyMap<string, PayloadCheck> = new Map([
  ['mcp.request.METHOD', checkRequest],
  ['mcp.response.METHOD', checkResponse],
  ['mcp.notification.METHOD', checkRequest],
  ['mcp.proposal.METHOD', checkProposal],
  ['mcpx.approve.proposal', checkApproval],
  ['mcpx.delegate.review', checkDelegation],
  ['mcpx.pause.approvals', checkPause],
  ['mcpx.resume.approvals', checkPause],
  ['mcpx.counter.proposal', checkCounter],
  ['mcpx.accept.counter', checkAcceptance],
  ['mcpx.grant.capability', checkGrant],
  ['mcpx.revoke.capability', checkRevocation],
  ['mcpx.renew.proposal', checkRenewal],
  ['mcpx.withdraw.proposal', checkWithdrawal],
  ['mcpx.reject.proposal', checkRejection],
  ['mcpx.status.proposal', checkStatus],
  ['mcpx.announce.tools', checkAnnouncement('tools')],
  ['mcpx.announce.resources', checkAnnouncement('resources')],
  ['mcpx.announce.prompts', checkAnnouncement('prompts')],
  ['mcpx.announce.rules', checkAnnouncedRules],
  ['chat.message', checkChat],
]);

const kindsOf = (...starts: readonly string[]): readonly string[] =>
  [...CHECKS.keys()].filter((kind) => starts.some((start) => kind.startsWith(start)));

/**
 * The protocols that belong to Proffer, and every kind of theirs. `proposal` was one in older drafts
 * and is none now: its kinds live on in the `legacy` dialect only.
 */
export const OPERATIONS: ReadonlyMap<string, readonly string[]> = new Map([
  ['mcp', kindsOf('mcp.')],
  ['mcpx', kindsOf('mcpx.')],
  ['proposal', kindsOf('mcp.proposal.', 'mcpx.')],
]);

/** The check for a kind's payload; nothing for kinds of other protocols, which are carried as they are. */
export function payloadCheck(kind: Kind): PayloadCheck | undefined {
  if (kind.protocol !== 'mcp') return CHECKS.get(formatKind(kind));
  switch (kind.operation) {
    case 'request':
    case 'notification':
      return checkRequest;
    case 'response':
      return checkResponse;
    case 'proposal':
      return checkProposal;
    default:
      return undefined;
  }
}
