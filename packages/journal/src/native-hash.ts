import { hash } from 'node:crypto';
import type { HashText } from '@proffer/core';

/** SHA-256 as the host has it; the same answers as core's own, several times as fast. */
export const nativeSha256: HashText = (text) => hash('sha256', text, 'hex');
