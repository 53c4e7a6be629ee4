export { type Console, createConsole } from './console.js';
