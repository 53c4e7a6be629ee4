export { type Hidden, type HidingOptions, hideInText, hideSecrets, REDACTED } from './hide.js';
