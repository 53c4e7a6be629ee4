import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { Dialog } from './dialog.js';

/** A command available from anywhere. */
export interface PaletteCommand {
  readonly title: string;
  /** Distinguishes it from others with the same title. */
  readonly key?: string;
  readonly hint?: string;
  readonly run: () => void;
}

const MAX_SHOWN = 12;

/** Finds a command by a few of its letters, and runs it. */
export function Palette({
  commands,
  onClose,
}: {
  readonly commands: readonly PaletteCommand[];
  readonly onClose: () => void;
}) {
  const [text, setText] = useState('');
  const [place, setPlace] = useState(0);
  const input = useRef<HTMLInputElement>(null);
  useLayoutEffect(() => input.current?.focus(), []);
  const shown = commands
    .filter(({ title, hint = '' }) => matches(`${title} ${hint}`, text))
    .slice(0, MAX_SHOWN);
  const chosen = Math.min(place, shown.length - 1);

  function run(command: PaletteCommand | undefined): void {
    if (command === undefined) return;
    onClose();
    command.run();
  }

  return (
    <Dialog label="Go to" onClose={onClose}>
      <input
        ref={input}
        class="palette-input"
        role="combobox"
        aria-expanded="true"
        aria-controls="palette-list"
        aria-activedescendant={chosen >= 0 ? `palette-${chosen}` : undefined}
        aria-label="Go to a view or a call, or run a command"
        placeholder="Go to, or do …"
        value={text}
        onInput={({ currentTarget }) => {
          setText(currentTarget.value);
          setPlace(0);
        }}
        onKeyDown={(event) => {
          if (event.key === 'ArrowDown') setPlace(Math.min(chosen + 1, shown.length - 1));
          else if (event.key === 'ArrowUp') setPlace(Math.max(chosen - 1, 0));
          else if (event.key === 'Enter') run(shown[chosen]);
          else return;
          event.preventDefault();
        }}
      />
      <ul id="palette-list" class="palette" role="listbox" aria-label="Results">
        {shown.map((command, index) => (
          <li
            key={command.key ?? command.title}
            id={`palette-${index}`}
            role="option"
            aria-selected={index === chosen}
            onClick={() => run(command)}
          >
            <span>{command.title}</span>
            {command.hint !== undefined && <span class="dim">{command.hint}</span>}
          </li>
        ))}
      </ul>
      {shown.length === 0 && <p class="dim pad">Nothing matches.</p>}
    </Dialog>
  );
}

/** The letters in order, with anything in between. */
function matches(title: string, text: string): boolean {
  let from = 0;
  const where = title.toLowerCase();
  for (const letter of text.toLowerCase().replaceAll(' ', '')) {
    const found = where.indexOf(letter, from);
    if (found === -1) return false;
    from = found + 1;
  }
  return true;
}
