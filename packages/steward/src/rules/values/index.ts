export { fieldJudge, own } from './fields.js';
export { hasOperators, readValue, reportNoPattern, reportOddTexts } from './read-value.js';
export { equalTest, show } from './texts.js';
export { allOf, anyOf, opposite, type ValueTest } from './value-test.js';
