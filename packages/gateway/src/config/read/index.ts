export { type Field, listOf, mapOf, optional, section, withDefault } from './field.js';
export { flag, text } from './scalar.js';
export { type Secret, secret } from './secret.js';
export { webAddress } from './web-address.js';
