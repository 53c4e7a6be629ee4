export { type Field, mapOf, optional, section } from './field.js';
export { flag, text } from './scalar.js';
