import { type MacpClient, MacpError } from '@proffer/client/negotiation';
import { CommandFailure, EXIT } from '../command-failure.js';
import { commandAbout } from '../terminal/shell.js';
import { fieldPlaceholders } from './message-fields.js';
import { shortMode } from './mode-names.js';

/** What such a command would be called in another mode, if there is a message for it. */
const TYPES: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  propose: { decision: 'Proposal', task: 'TaskRequest', handoff: 'HandoffOffer', quorum: 'ApprovalRequest' },
  accept: { decision: 'Vote', task: 'TaskAccept', handoff: 'HandoffAccept', quorum: 'Approve' },
  reject: { decision: 'Vote', task: 'TaskReject', handoff: 'HandoffDecline', quorum: 'Reject' },
};

/** Explains that a command about offers was used in a session without any, with the message to send instead. */
export function inOtherMode(
  client: MacpClient,
  sessionId: string,
  { name, command }: { readonly name: string; readonly command: string },
): (error: unknown) => Promise<never> {
  return async (error) => {
    if (!(error instanceof MacpError) || error.code !== 'MODE_NOT_SUPPORTED') throw error;
    const { mode } = await client.getSession(sessionId);
    const short = shortMode(mode);
    const type = TYPES[command]?.[short];
    const instead =
      type === undefined
        ? []
        : [
            commandAbout(`${name} negotiate send`, [sessionId, type], {
              more: fieldPlaceholders(mode, type),
            }),
          ];
    throw new CommandFailure(
      {
        exit: EXIT.refused,
        code: error.code,
        message: `${command} is for offers, and this session has none: it is in ${short} mode.`,
        details: error.details,
        next: [...instead, `${name} negotiate modes ${short}   # shows its messages`],
      },
      error,
    );
  };
}
