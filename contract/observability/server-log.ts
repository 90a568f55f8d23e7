import { z } from 'zod'

const text = z.string().max(1_000_000).optional()

/** What a project's database server has written to its log, by the names that Postgres has for the fields. */
export const ServerLogEntry = z.object({
  /** Of the server's own: the session and the line in it. */
  id: z.string().max(100),
  /** Microseconds since 1970. */
  timestamp: z.number().int().min(0),
  /** `LOG`, `WARNING`, `ERROR`, `FATAL`, ... */
  severity: z.string(),
  message: z.string(),
  detail: text,
  hint: text,
  context: text,
  session_id: z.string(),
  session_line_num: z.number(),
  process_id: z.number(),
  session_start_time: text,
  backend_type: text,
  sql_state_code: text,
  virtual_transaction_id: text,
  transaction_id: z.number().optional(),
  query_id: text,
  command_tag: text,
  connection_from: text,
  user_name: text,
  database_name: text,
  application_name: text,
})
export type ServerLogEntry = z.infer<typeof ServerLogEntry>
