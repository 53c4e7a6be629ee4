import type { ModelMessage, ToolApprovalResponse, ToolCallPart, ToolModelMessage } from 'ai';
import { type Gate, refusalIn } from '../gate/index.js';

export interface ApprovalResponsesOptions {
  /** The session that {@link approvedTools} was given. */
  readonly session?: string;
  /** Aborting withdraws pending requests. */
  readonly signal?: AbortSignal;
}

/**
 * Answers the approval requests (`toolApproval: 'user-approval'`) at the end of a conversation: waits
 * until all are decided, and returns the message to add before generating again. `undefined` if none
 * is open. The messages may come from storage: a restarted process finds what it asked before. The
 * tools must be {@link approvedTools} of the same gate, so that they run what was approved.
 */
export async function approvalResponses(
  gate: Gate,
  messages: readonly ModelMessage[],
  options: ApprovalResponsesOptions = {},
): Promise<ToolModelMessage | undefined> {
  const content = await Promise.all(openRequests(messages).map((request) => respond(gate, request, options)));
  return content.length === 0 ? undefined : { role: 'tool', content };
}

async function respond(
  gate: Gate,
  { approvalId, call: { toolName: tool, input, toolCallId: callId } }: OpenRequest,
  options: ApprovalResponsesOptions,
): Promise<ToolApprovalResponse> {
  const reason = refusalIn(await gate.decide({ tool, arguments: input, callId, ...options }));
  const response = { type: 'tool-approval-response', approvalId } as const;
  return reason === undefined ? { ...response, approved: true } : { ...response, approved: false, reason };
}

interface OpenRequest {
  readonly approvalId: string;
  readonly call: ToolCallPart;
}

function openRequests(messages: readonly ModelMessage[]): readonly OpenRequest[] {
  const calls = new Map<string, ToolCallPart>();
  const open = new Map<string, OpenRequest>();
  for (const { content } of messages) {
    if (typeof content === 'string') continue;
    for (const part of content) {
      if (part.type === 'tool-call') calls.set(part.toolCallId, part);
      if (part.type === 'tool-approval-response') open.delete(part.approvalId);
      if (part.type !== 'tool-approval-request' || part.isAutomatic === true) continue;
      const call = calls.get(part.toolCallId);
      if (call !== undefined) open.set(part.approvalId, { approvalId: part.approvalId, call });
    }
  }
  return [...open.values()];
}
