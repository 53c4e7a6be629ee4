import { checkOptional, checkText, checkWord } from '../field-checks.js';
import type { PayloadCheck } from './payload-check.js';

const FORMATS = ['plain', 'markdown'];

/** `chat.message`: `{ text, format? }`; plain without a format. */
export const checkChat: PayloadCheck = ({ payload }) =>
  checkText('payload.text', payload['text']) ??
  checkOptional((field, found) => checkWord(field, found, FORMATS), 'payload.format', payload['format']);
