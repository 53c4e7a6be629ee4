import type { JsonValue } from '@proffer/core/json';
import { hideInText, hideSecrets, numberedMark } from '@proffer/core/secrets';
import { createContext } from 'preact';
import { useContext } from 'preact/hooks';

/** How secrets are shown: hidden everywhere, until somebody reveals those of a card. */
export interface Hiding {
  readonly text: (text: string) => string;
  readonly value: <Value extends JsonValue>(value: Value) => Value;
  /** Something is hidden in what is on screen. */
  readonly onHidden?: () => void;
}

/** Hides all secrets. */
export const HIDDEN: Hiding = {
  text: (text) => hideInText(text),
  value: (value) => hideSecrets(value).value,
};

/** Hides nothing. */
export const SHOWN: Hiding = { text: (text) => text, value: (value) => value };

/** Hides secrets and tells them apart, so that a change from one to another is seen. */
export function hideNumbered(onHidden: () => void): Hiding {
  const mark = numberedMark();
  return {
    text: (text) => hideInText(text, mark),
    value: (value) => hideSecrets(value, { mark }).value,
    onHidden,
  };
}

/** Without a card around it, everything is hidden. */
export const HidingContext = createContext(HIDDEN);

export const useHiding = (): Hiding => useContext(HidingContext);
