import { actionsOn } from '../decide/actions.js';
import { summaryOf } from '../inbox/entry.js';
import { Palette, type PaletteCommand } from '../keys/palette.js';
import { nameOf } from '../space/tools.js';
import { go, route } from '../state/route.js';
import { plainLine } from '../text/marked.js';
import type { DialogProps } from './dialog-of.js';
import { dialog } from './dialogs.js';
import { leave } from './leave.js';
import { NAV_VIEWS } from './nav.js';

/** More than this many proposals are not offered by name. */
const MAX_NAMED = 500;

/** Goes to a view, a space or a proposal, or does something, by a few letters of its name. */
export function FindDialog({ space, session, onClose }: DialogProps) {
  const views = NAV_VIEWS.map(({ title, view, key }) => ({
    title: `Go to ${title}`,
    hint: `g ${key}`,
    run: () => go({ view }),
  }));
  const spaces = session.spaces
    .filter((name) => name !== space.name)
    .map((name) => ({
      title: `Go to the space ${plainLine(name)}`,
      run: () => go({ space: name, view: 'inbox' }),
    }));
  const pending = [...space.proposals.values()]
    .filter(({ phase }) => phase === 'pending')
    .slice(0, MAX_NAMED)
    .map((proposal) => ({
      title: `${plainLine(nameOf(proposal))} by ${plainLine(proposal.proposer)}`,
      hint: summaryOf(proposal),
      key: proposal.id,
      run: () => go({ view: 'inbox', item: proposal.id }),
    }));
  const commands = [...actions(space), ...views, ...spaces, ...pending];
  return <Palette commands={commands} onClose={onClose} />;
}

/** What can be done: about the open card, and about the space. */
function actions(space: DialogProps['space']): readonly PaletteCommand[] {
  const { view, item = '' } = route.get();
  const shown = view === 'inbox' || view === 'proposals' ? space.proposals.get(item) : undefined;
  const { allow, makeRule } = shown?.phase === 'pending' ? actionsOn(space, shown) : {};
  const name = shown === undefined ? '' : plainLine(nameOf(shown));
  const { mayPause, mayResume } = space.rights();
  const isPaused = space.paused() !== undefined;
  return [
    ...(allow === undefined ? [] : [{ title: `Allow ${name} for a while …`, hint: 'h', run: allow }]),
    ...(makeRule === undefined
      ? []
      : [{ title: `Make a rule from this call of ${name} …`, hint: 'm', run: makeRule }]),
    ...(mayPause && !isPaused ? [{ title: 'Pause all approvals …', run: () => dialog.set('pause') }] : []),
    ...(mayResume && isPaused
      ? [{ title: 'Resume approvals', run: () => void space.participant.approvals.resume().catch(() => {}) }]
      : []),
    { title: 'Export the history …', run: () => go({ view: 'history', item: 'export' }) },
    { title: 'Notifications …', run: () => dialog.set('notifications') },
    { title: 'Sign out', run: () => leave(space.token) },
  ];
}
