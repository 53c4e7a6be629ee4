import type { ComponentChildren } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { useKeys } from './layers.js';

interface DialogProps {
  readonly label: string;
  readonly onClose: () => void;
  readonly children: ComponentChildren;
}

/** Something in front of everything else. Escape closes it, and the focus goes back to where it was. */
export function Dialog({ label, onClose, children }: DialogProps) {
  const element = useRef<HTMLDialogElement>(null);
  useKeys({ Escape: onClose }, { isModal: true });
  // Before it is painted: keys that follow at once are for what is in it.
  useLayoutEffect(() => {
    const before = document.activeElement;
    element.current?.showModal();
    // Not its first button: that may be at the end of something to read.
    element.current?.focus();
    element.current?.scrollTo(0, 0);
    return () => {
      if (before instanceof HTMLElement) before.focus();
    };
  }, []);
  return (
    <dialog
      ref={element}
      class="dialog"
      tabIndex={-1}
      aria-label={label}
      onCancel={(event) => {
        event.preventDefault();
        onClose();
      }}
      onClick={({ target }) => {
        if (target === element.current) onClose();
      }}
    >
      {children}
    </dialog>
  );
}
