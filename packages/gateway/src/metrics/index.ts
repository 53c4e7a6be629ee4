export { countRecords, createMetrics, type Metrics } from './metrics.js';
