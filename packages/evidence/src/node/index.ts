export * from './native.js';
export * from './signer-key.js';
