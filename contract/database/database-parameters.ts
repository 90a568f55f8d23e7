export type ParameterGroup =
  | 'Time limits'
  | 'Memory'
  | 'Planner'
  | 'Logging'
  | 'Behaviour'
  | 'Server'

export type OfferedParameter = { name: string; group: ParameterGroup; about: string }

const group = (
  name: ParameterGroup,
  parameters: readonly (readonly [string, string])[],
): OfferedParameter[] =>
  parameters.map(([parameter, about]) => ({ name: parameter, group: name, about }))

/**
 * The Postgres parameters that the settings page shows. Those that a new session can take are set for the database;
 * those under "Server" belong to whoever runs the server and are shown as they are (facts §3, Postgres config).
 */
export const offeredParameters: readonly OfferedParameter[] = [
  ...group('Time limits', [
    ['statement_timeout', 'A statement that takes longer is cancelled. 0 is without limit.'],
    ['lock_timeout', 'Waiting longer than this for a lock fails the statement.'],
    [
      'idle_in_transaction_session_timeout',
      'A session that idles inside a transaction is ended after this.',
    ],
    ['idle_session_timeout', 'A session that does nothing is ended after this.'],
    ['transaction_timeout', 'A transaction that takes longer is ended.'],
  ]),
  ...group('Memory', [
    [
      'work_mem',
      'What one sort or hash may use before it goes to disk; a query can use several of these.',
    ],
    ['maintenance_work_mem', 'Memory that building an index and VACUUM may use.'],
    ['logical_decoding_work_mem', 'What one replication reader may use before changes go to disk.'],
    ['temp_buffers', 'Memory that a session may use for temporary tables.'],
  ]),
  ...group('Planner', [
    ['effective_cache_size', 'How much of the data the planner assumes is in memory.'],
    [
      'random_page_cost',
      'The price of a page out of order, against 1 for one in order; 1.1 suits fast disks.',
    ],
    ['default_statistics_target', 'How closely ANALYZE looks at columns.'],
    [
      'max_parallel_workers_per_gather',
      'Processes that one part of a query may get beside its own.',
    ],
    ['max_parallel_maintenance_workers', 'Processes that one index build may get beside its own.'],
    ['plan_cache_mode', 'Whether prepared statements get a plan per call or one for all.'],
    ['jit', 'Compile expressions of long queries.'],
  ]),
  ...group('Logging', [
    [
      'log_min_duration_statement',
      'Statements that take longer are written to the log; -1 is none.',
    ],
    ['log_statement', 'Which kinds of statements are written to the log.'],
    ['track_io_timing', 'Measure how long reads and writes take.'],
  ]),
  ...group('Behaviour', [
    ['search_path', 'The schemas in which a bare name is looked for, in order.'],
    ['TimeZone', 'In which moments are shown.'],
    ['default_transaction_isolation', 'Isolation level of a transaction, unless it sets its own.'],
    ['default_transaction_read_only', 'Transactions change nothing unless they ask for more.'],
    ['synchronous_commit', 'Whether a commit waits until it is on disk.'],
    [
      'session_replication_role',
      'Whether triggers and foreign keys fire; replica switches them off.',
    ],
    ['default_text_search_config', 'The language of full text search.'],
    ['bytea_output', 'How bytes are shown.'],
  ]),
  ...group('Server', [
    ['max_connections', 'Sessions at the same time, of everyone.'],
    ['shared_buffers', 'Memory for pages that all sessions share.'],
    ['max_worker_processes', 'Background processes at the same time.'],
    ['max_parallel_workers', 'Of these, for parallel queries.'],
    ['max_locks_per_transaction', 'Room for locks, per session.'],
    ['wal_level', 'How much is written for followers; logical is needed for publications.'],
    ['max_wal_size', 'WAL between two checkpoints.'],
    ['max_wal_senders', 'Followers at the same time.'],
    ['max_replication_slots', 'Replication slots at the same time.'],
    ['max_slot_wal_keep_size', 'Most WAL that a slot may hold back.'],
    ['wal_keep_size', 'WAL that is kept for followers without a slot.'],
    ['wal_sender_timeout', 'A follower that is silent for longer is dropped.'],
    ['max_standby_streaming_delay', 'How long a follower lets queries hold its replay back.'],
    ['max_standby_archive_delay', 'The same while it reads from an archive.'],
    ['track_activity_query_size', 'How much of a running statement is shown.'],
    ['track_commit_timestamp', 'Keep when each transaction was committed.'],
  ]),
]
