import type { ComponentChildren } from 'preact';
import { Icon, type IconName } from '../shell/icon.js';

interface ActionProps {
  readonly icon: IconName;
  readonly children: ComponentChildren;
  /** The shortcut key, as displayed. */
  readonly keyName?: string | undefined;
  /** The key for `aria-keyshortcuts`. Default: as displayed. */
  readonly shortcut?: string;
  readonly isMain?: boolean;
  /** Whether the action is not about this decision, and less prominent. */
  readonly isQuiet?: boolean;
  readonly isPressed?: boolean;
  /** A disabled button stays focusable, and `bar-note` explains why. */
  readonly isDisabled?: boolean;
  readonly onAct: () => void;
}

/** An action on a card, with its key. */
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
