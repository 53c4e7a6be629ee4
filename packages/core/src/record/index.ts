export * from './record.js';
export * from './seal.js';
export * from './verify.js';
