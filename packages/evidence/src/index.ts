export * from './log/check-tree.js';
export * from './log/entry.js';
export * from './log/tree-keeper.js';
export * from './notes/checkpoint.js';
export * from './notes/signed-note.js';
export * from './tree/merkle.js';
export * from './tree/tiles.js';
export * from './witness/add-checkpoint.js';
