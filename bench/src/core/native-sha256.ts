import { hash } from 'node:crypto';
import type { HashText } from '@proffer/core';

/** The platform's SHA-256, as a host injects it. */
export const nativeSha256: HashText = (text) => hash('sha256', text, 'hex');
