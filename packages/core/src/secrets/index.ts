export {
  type Hidden,
  type HidingOptions,
  hideAt,
  hideInText,
  hideSecrets,
  type Mark,
  numberedMark,
  REDACTED,
} from './hide.js';
