export { webAddress } from './address.js';
export { type Field, listOf, mapOf, optional, section, withDefault } from './field.js';
export { flag, text } from './scalar.js';
export { type Secret, secret } from './secret.js';
