import { NAV_VIEWS } from '../shell/nav.js';
import { Dialog } from './dialog.js';

const KEYS: readonly (readonly [title: string, keys: readonly (readonly [key: string, what: string])[]])[] = [
  [
    'Inbox',
    [
      ['j  k', 'next, previous'],
      ['/', 'search'],
      ['s', 'sort by newest or by time left'],
    ],
  ],
  [
    'Anywhere',
    [
      ...NAV_VIEWS.map(({ key, title }) => [`g ${key}`, `go to ${title}`] as const),
      ['Ctrl K  ⌘ K', 'go to anything'],
      ['?', 'this page'],
      ['Esc', 'close, go back'],
    ],
  ],
  [
    'Decide',
    [
      ['space', 'read on'],
      ['a', 'approve, once you have seen all of it'],
      ['e', 'edit and approve'],
      ['c', 'make a counter-offer'],
      ['r', 'reject; 1 to 6 give the usual reasons'],
      ['h', 'allow the same for a while'],
      ['d', 'hand the review over'],
      ['m', 'make a rule from this call'],
      ['.', 'raw JSON, and back'],
      ['v', 'reveal hidden values; this is recorded'],
      ['y', 'copy the link'],
    ],
  ],
];

/** The list of keys. */
export function Help({ onClose }: { readonly onClose: () => void }) {
  return (
    <Dialog label="Keys" onClose={onClose}>
      <h2>Keys</h2>
      <div class="help">
        {KEYS.map(([title, keys]) => (
          <section key={title}>
            <h3>{title}</h3>
            <dl>
              {keys.map(([key, what]) => (
                <div key={key}>
                  <dt>
                    {key.split('  ').map((one) => (
                      <kbd key={one}>{one}</kbd>
                    ))}
                  </dt>
                  <dd>{what}</dd>
                </div>
              ))}
            </dl>
          </section>
        ))}
      </div>
      <button type="button" class="button" onClick={onClose}>
        Close
      </button>
    </Dialog>
  );
}
