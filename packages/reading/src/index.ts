export * from './nearest.js';
export { oddText } from './odd-text.js';
export * from './problem.js';
export * from './readers.js';
export * from './tree.js';
export { appendYaml, formatYaml } from './yaml-library.js';
export { parseYamlTree, type YamlStyle } from './yaml-tree.js';
