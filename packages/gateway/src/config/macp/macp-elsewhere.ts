/** What to use here in place of a variable. */
const NOTHING = 'Proffer has no such setting; remove it.';
const RECEIPTS =
  'Records are chained by hashes, which `proffer verify` checks; they are not signed. Remove it.';
const JOURNAL = 'Use PROFFER_JOURNAL_BACKEND and PROFFER_JOURNAL_PATH.';
const POLICIES =
  'Policies are registered with RegisterPolicy and stored in the journal. Register them, and remove it.';
const RETENTION = 'Use PROFFER_JOURNAL_RETENTION.';

/**
 * Variables of other MACP runtimes that set nothing here, and what to do instead. An operator who set one
 * expects an effect that it would not have, so each is an error.
 */
export const MACP_ELSEWHERE: ReadonlyMap<string, string> = new Map([
  ['MACP_MEMORY_ONLY', 'Use PROFFER_JOURNAL_BACKEND=memory to store nothing on disk.'],
  ['MACP_DATA_DIR', JOURNAL],
  ['MACP_STORAGE_BACKEND', JOURNAL],
  ['MACP_STRICT_RECOVERY', 'An unreadable journal is always an error; remove it.'],
  ['MACP_CHECKPOINT_INTERVAL', NOTHING],
  ['MACP_COMPACT_TERMINAL_LOGS', RETENTION],
  ['MACP_SESSION_RETENTION_SECS', RETENTION],
  ['MACP_SESSION_DISK_RETENTION_SECS', RETENTION],
  ['MACP_CLEANUP_INTERVAL_SECS', NOTHING],
  ['MACP_SHUTDOWN_DRAIN_SECS', 'Requests in flight always finish, within a few seconds; remove it.'],
  ['MACP_POLICIES_DIR', POLICIES],
  ['MACP_POLICIES_DRY_RUN', POLICIES],
  ['MACP_HTTP_BIND_ADDR', 'Use PROFFER_LISTEN_HTTP.'],
  ['MACP_METRICS_ADDR', 'Metrics are at /metrics of the HTTP listener: PROFFER_LISTEN_HTTP.'],
  ['MACP_MAX_CONCURRENT_STREAMS', 'Use PROFFER_LIMITS_STREAMS_PER_TOKEN.'],
  ['MACP_CONCURRENCY_LIMIT_PER_CONNECTION', NOTHING],
  ['MACP_REQUEST_TIMEOUT_SECS', NOTHING],
  [
    'MACP_LIST_SESSIONS_DEFAULT_PAGE_SIZE',
    'A list has as many sessions as fit into one response; remove it.',
  ],
  ['MACP_LIST_SESSIONS_MAX_PAGE_SIZE', 'A list has as many sessions as fit into one response; remove it.'],
  ['MACP_AUDIT_LEVEL', NOTHING],
  ['MACP_RUNTIME_ID', NOTHING],
  ['MACP_RECEIPT_SIGNING_KEY', RECEIPTS],
  ['MACP_RECEIPT_SIGNING_KEY_PATH', RECEIPTS],
  ['MACP_RECEIPT_SIGNING_KID', RECEIPTS],
  ['MACP_RECEIPT_PUBLIC_KEYS_PATH', RECEIPTS],
]);
