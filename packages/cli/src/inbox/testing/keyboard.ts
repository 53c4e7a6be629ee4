import type { ProposalView } from '../../proposals/proposal-view.js';
import { type Key, type KeyResult, pressKey } from '../keys.js';
import { EMPTY_INBOX, type InboxState, withShown } from '../state.js';

/** A call of `echo` as a gateway lists it. */
export function proposalOf(id: string, changes: Partial<ProposalView> = {}): ProposalView {
  return {
    id,
    version: 1,
    digest: `digest of ${id}`,
    proposer: 'agent',
    method: 'tools/call',
    subject: { list: 'tools', name: 'echo' },
    params: { name: 'echo', arguments: { text: 'old' } },
    proposedAt: 0,
    rejections: {},
    statuses: {},
    approvals: [],
    escalatedTo: [],
    phase: 'pending',
    ...changes,
  } as unknown as ProposalView;
}

/** An inbox with these proposals, the first one selected. */
export function inboxOf(...ids: readonly string[]): InboxState {
  const [selected = ''] = ids;
  return { ...EMPTY_INBOX, proposals: ids.map((id) => proposalOf(id)), selected };
}

/** The same after all details have been on the screen. */
export function shown(state: InboxState, lines = 5): InboxState {
  return withShown(state, { from: 0, to: lines, total: lines, page: lines, width: 80 });
}

/** When the last key was pressed. */
let now = 1_000_000;

/** Presses keys in sequence, each a second after the one before; single characters type themselves. */
export function press(state: InboxState, ...names: readonly string[]): KeyResult {
  let pressed: KeyResult = { state };
  for (const name of names) {
    const key: Key = name.length === 1 ? { name: name.toLowerCase(), text: name } : { name, text: '' };
    now += 1_000;
    pressed = pressKey(pressed.state, key, now);
  }
  return pressed;
}
