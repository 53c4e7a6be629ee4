export * from './record.js';
export * from './salted.js';
export * from './seal.js';
export * from './verify.js';
