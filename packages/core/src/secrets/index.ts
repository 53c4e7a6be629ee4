export {
  type Hidden,
  type HidingOptions,
  hideInText,
  hideSecrets,
  type Mark,
  numberedMark,
  REDACTED,
} from './hide.js';
