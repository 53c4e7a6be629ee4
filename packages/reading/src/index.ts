export { appendYaml } from './append-yaml.js';
export { listed } from './listed.js';
export { nearest } from './nearest.js';
export { oddText } from './odd-text.js';
export { createReport, type Problem, problemLines, type Report, type SourcePosition } from './problem.js';
export {
  type Parsed,
  readChoice,
  readFlag,
  readKey,
  readList,
  readOneOrMore,
  readScalar,
  readSection,
  readText,
  readWholeNumber,
  type ValueReader,
  wanted,
  wantedShape,
} from './readers.js';
export {
  isNothing,
  kindOf,
  type ListTree,
  type MapEntry,
  type MapTree,
  type ScalarTree,
  type Tree,
  treeOfJson,
  treeToJson,
} from './tree.js';
export { type Path, reportUnknownKeys } from './unknown-keys.js';
export { formatYaml } from './yaml-library.js';
export { parseYamlTree, type YamlStyle } from './yaml-tree.js';
