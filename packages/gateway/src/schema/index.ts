export { createArgumentCheck } from './argument-check.js';
