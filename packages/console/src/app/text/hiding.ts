import type { JsonValue } from '@proffer/core/json';
import { type HidingOptions, hideAt, hideInText, hideSecrets, numberedMark } from '@proffer/core/secrets';
import { createContext } from 'preact';
import { useContext } from 'preact/hooks';

/** How secrets are shown: hidden everywhere, until somebody reveals those of a card. */
export interface Hiding {
  readonly text: (text: string) => string;
  readonly value: <Value extends JsonValue>(value: Value) => Value;
  /** A value at a path, whose names may tell. */
  readonly at: (path: string, value: JsonValue | undefined) => JsonValue | undefined;
  /** Something is hidden in what is on screen. */
  readonly onHidden?: () => void;
}

/** Hides all secrets. */
export const HIDDEN: Hiding = hidingWith({});

/** Hides nothing. */
export const NOTHING_HIDDEN: Hiding = {
  text: (text) => text,
  value: (value) => value,
  at: (_, value) => value,
};

/** Hides secrets and tells them apart, so that a change from one to another is seen. */
export function hideNumbered(onHidden: () => void): Hiding {
  return { ...hidingWith({ mark: numberedMark() }), onHidden };
}

function hidingWith(options: HidingOptions): Hiding {
  return {
    text: (text) => hideInText(text, options.mark),
    value: (value) => hideSecrets(value, options).value,
    at: (path, value) => (value === undefined ? undefined : hideAt(path, value, options)),
  };
}

/** Without a card around it, everything is hidden. */
export const HidingContext = createContext(HIDDEN);

export const useHiding = (): Hiding => useContext(HidingContext);
