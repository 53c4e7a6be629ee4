export * from '../page-file.js';
export * from './detached-jws.js';
export * from './key-file.js';
export * from './native.js';
export * from './replace-file.js';
export * from './sign-statement.js';
export * from './signer-key.js';
export * from './witness.js';
