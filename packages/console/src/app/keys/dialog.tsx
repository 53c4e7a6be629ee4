import type { ComponentChildren } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { useKeys } from './layers.js';

interface DialogProps {
  readonly label: string;
  readonly onClose: () => void;
  readonly children: ComponentChildren;
}

/** A modal dialog. Escape closes it, and the focus returns to where it was. */
export function Dialog({ label, onClose, children }: DialogProps) {
  const element = useRef<HTMLDialogElement>(null);
  useKeys({ Escape: onClose }, { isModal: true });
  // Before it is painted: keys that follow at once are for the dialog.
  useLayoutEffect(() => {
    const before = document.activeElement;
    element.current?.showModal();
    // Not its first button, which may be at the end of a long text.
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
