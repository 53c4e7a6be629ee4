import type { ComponentChildren } from 'preact';
import { Icon, type IconName } from '../shell/icon.js';

interface ActionProps {
  readonly icon: IconName;
  readonly children: ComponentChildren;
  /** The key that does the same, as it is shown. */
  readonly keyName?: string | undefined;
  /** The key as `aria-keyshortcuts` has it. Default as it is shown. */
  readonly shortcut?: string;
  readonly isMain?: boolean;
  /** It is not about this decision, and less prominent than what is. */
  readonly isQuiet?: boolean;
  readonly isPressed?: boolean;
  /** It stays in reach of the keyboard, and what `bar-note` says tells why. */
  readonly isDisabled?: boolean;
  readonly onAct: () => void;
}

/** One of the things that can be done with a card, with the key for it. */
export function Action({
  icon,
  children,
  keyName,
  shortcut = keyName,
  isMain = false,
  isQuiet = false,
  isPressed,
  isDisabled,
  onAct,
}: ActionProps) {
  return (
    <button
      type="button"
      class={isQuiet ? 'quiet' : isMain ? 'button go' : 'button'}
      aria-pressed={isPressed}
      aria-disabled={isDisabled}
      aria-keyshortcuts={shortcut}
      aria-describedby={isMain ? 'bar-note' : undefined}
      onClick={onAct}
    >
      <Icon name={icon} />
      {children} {keyName !== undefined && <kbd aria-hidden="true">{keyName}</kbd>}
    </button>
  );
}
