export { type Agreements, followAgreements } from './follow-agreements.js';
