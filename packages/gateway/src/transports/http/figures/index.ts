export { showFigures } from './show-figures.js';
