/** What there is here in place of a variable. */
const NOTHING = 'There is nothing like it here; remove it.';
const RECEIPTS =
  'Records are chained by hashes here, which `proffer verify` checks; nothing is signed. Remove it.';
const JOURNAL =
  'Say where and how the journal is kept with PROFFER_JOURNAL_BACKEND and PROFFER_JOURNAL_PATH.';
const POLICIES =
  'Policies are registered with RegisterPolicy, and kept in the journal. Register them, and remove it.';
const RETENTION = 'Say how long what is over is kept with PROFFER_JOURNAL_RETENTION.';

/**
 * The variables of other MACP runtimes that set nothing here, and what to do instead. An operator who set one wants
 * something that would not happen, so each is an error and never ignored.
 */
export const MACP_ELSEWHERE: ReadonlyMap<string, string> = new Map([
  [
    'MACP_MEMORY_ONLY',
    'PROFFER_JOURNAL_BACKEND=memory keeps nothing on disk; without it, everything is kept.',
  ],
  ['MACP_DATA_DIR', JOURNAL],
  ['MACP_STORAGE_BACKEND', JOURNAL],
  ['MACP_STRICT_RECOVERY', 'A journal that cannot be read in full is always an error here; remove it.'],
  ['MACP_CHECKPOINT_INTERVAL', NOTHING],
  ['MACP_COMPACT_TERMINAL_LOGS', RETENTION],
  ['MACP_SESSION_RETENTION_SECS', RETENTION],
  ['MACP_SESSION_DISK_RETENTION_SECS', RETENTION],
  ['MACP_CLEANUP_INTERVAL_SECS', NOTHING],
  ['MACP_SHUTDOWN_DRAIN_SECS', 'What is in flight is finished in any case, within a few seconds; remove it.'],
  ['MACP_POLICIES_DIR', POLICIES],
  ['MACP_POLICIES_DRY_RUN', POLICIES],
  ['MACP_HTTP_BIND_ADDR', 'Say where HTTP is served with PROFFER_LISTEN_HTTP.'],
  ['MACP_METRICS_ADDR', 'Metrics are at /metrics of the HTTP listener: PROFFER_LISTEN_HTTP.'],
  [
    'MACP_MAX_CONCURRENT_STREAMS',
    'Say how many streams a token may have with PROFFER_LIMITS_STREAMS_PER_TOKEN.',
  ],
  ['MACP_CONCURRENCY_LIMIT_PER_CONNECTION', NOTHING],
  ['MACP_REQUEST_TIMEOUT_SECS', NOTHING],
  ['MACP_LIST_SESSIONS_DEFAULT_PAGE_SIZE', 'A list has as many sessions as fit into one answer; remove it.'],
  ['MACP_LIST_SESSIONS_MAX_PAGE_SIZE', 'A list has as many sessions as fit into one answer; remove it.'],
  ['MACP_AUDIT_LEVEL', NOTHING],
  ['MACP_RUNTIME_ID', NOTHING],
  ['MACP_RECEIPT_SIGNING_KEY', RECEIPTS],
  ['MACP_RECEIPT_SIGNING_KEY_PATH', RECEIPTS],
  ['MACP_RECEIPT_SIGNING_KID', RECEIPTS],
  ['MACP_RECEIPT_PUBLIC_KEYS_PATH', RECEIPTS],
]);
