export { openSnapshots, type SnapshotsOptions } from './snapshots.js';
