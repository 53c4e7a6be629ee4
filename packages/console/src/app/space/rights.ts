import type { Member } from '@proffer/client';
import {
  authorize,
  authorizeToSome,
  type CapabilitySource,
  compileCapabilities,
  parseCapability,
} from '@proffer/core/capability';
import { defined, type JsonObject } from '@proffer/core/json';
import { checkGrantable, type Grant, mayRevoke, type Proposal } from '@proffer/core/operations';

/** The user's rights regarding proposals, as the gateway would decide. It has the last word. */
export interface Rights {
  /** Whether the user may approve this proposal, with its own params or others. */
  mayApprove(proposal: Pick<Proposal, 'proposer' | 'method' | 'params'>, params?: JsonObject): boolean;
  mayReject(proposal: Pick<Proposal, 'proposer'>): boolean;
  /**
   * Whether the user may make a counter-offer (O-40): a reviewer with what they may approve, the proposer
   * with what they may propose.
   */
  mayCounter(proposal: Pick<Proposal, 'proposer' | 'method' | 'params'>, params?: JsonObject): boolean;
  /** Whether the user may accept counter-offers to it. */
  mayAccept(proposal: Pick<Proposal, 'proposer'>): boolean;
  /** Whether the user may grant this (O-41): no more than they may do themselves. */
  mayGrant(to: string, capability: CapabilitySource): boolean;
  mayRevoke(grant: Pick<Grant, 'granter'>): boolean;
  /** Whether the user may delegate reviews (O-34). */
  readonly mayDelegate: boolean;
  /** Whether the user may pause all approvals of the space, and resume them. */
  readonly mayPause: boolean;
  readonly mayResume: boolean;
}

/** Reads rights from the capabilities that the welcome names (O-27), by the rules of core. */
export function rightsOf({ id: from, capabilities }: Member): Rights {
  const parsed = capabilities.map((source) => parseCapability(source));
  const compiled = compileCapabilities(parsed.flatMap((result) => (result.ok ? [result.value] : [])));
  const own = compiled.sources;
  const may = (kind: string, payload: JsonObject): boolean =>
    authorize(compiled, { from, kind, payload }) === undefined;
  const request = (method: string, params: JsonObject | undefined) => ({
    from,
    kind: `mcp.request.${method}`,
    payload: { jsonrpc: '2.0', id: 0, method, ...defined({ params }) },
  });
  return {
    // An approval is sent to the executor.
    mayApprove: ({ proposer, method, params: asked }, params = asked) =>
      proposer !== from && authorizeToSome(compiled, request(method, params)) === undefined,
    mayCounter(proposal, params = proposal.params) {
      const { proposer, method } = proposal;
      if (!may('mcpx.counter.proposal', { params, reason: 'other' })) return false;
      if (proposer !== from) return authorize(compiled, request(method, params)) === undefined;
      const proposed = { from, kind: `mcp.proposal.${method}`, payload: { method, ...defined({ params }) } };
      return authorizeToSome(compiled, proposed) === undefined;
    },
    mayAccept: ({ proposer }) => proposer === from && may('mcpx.accept.counter', {}),
    mayReject: ({ proposer }) => proposer !== from && may('mcpx.reject.proposal', { reason: 'other' }),
    mayGrant(to, capability) {
      const read = parseCapability(capability);
      return (
        to !== from &&
        read.ok &&
        may('mcpx.grant.capability', { to, capabilities: [capability] }) &&
        checkGrantable([read.value], own) === undefined
      );
    },
    mayRevoke: (grant) =>
      may('mcpx.revoke.capability', {}) && mayRevoke(grant, { name: from, capabilities: own }),
    mayDelegate: may('mcpx.delegate.review', {}),
    mayPause: may('mcpx.pause.approvals', {}),
    mayResume: may('mcpx.resume.approvals', {}),
  };
}
