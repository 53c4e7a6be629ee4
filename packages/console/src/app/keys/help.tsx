import { Dialog } from './dialog.js';

const KEYS: readonly (readonly [title: string, keys: readonly (readonly [key: string, what: string])[]])[] = [
  [
    'Inbox',
    [
      ['j  k', 'next, previous'],
      ['/', 'search'],
      ['s', 'sort: newest, or least time left'],
    ],
  ],
  [
    'Decide',
    [
      ['space', 'read on'],
      ['a', 'approve, once all of it was shown'],
      ['e', 'edit and approve'],
      ['c', 'offer something else: a counter-offer'],
      ['r', 'reject; 1 to 6 are the usual reasons'],
      ['h', 'allow the same for a while'],
      ['d', 'hand the review to somebody else'],
      ['m', 'make a rule from this call'],
      ['.', 'raw JSON, and back'],
      ['y', 'copy the link'],
    ],
  ],
  [
    'Anywhere',
    [
      ['g i  g h  g n  g r  g p', 'inbox, history, negotiations, rules, people'],
      ['Ctrl K  ⌘ K', 'go to anything'],
      ['?', 'this page'],
      ['Esc', 'close, go back'],
    ],
  ],
];

/** What keys there are. */
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
