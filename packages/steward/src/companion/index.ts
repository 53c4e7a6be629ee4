export { rulesCompanion } from './rules-companion.js';
