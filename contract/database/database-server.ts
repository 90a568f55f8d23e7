import { z } from 'zod'
import { endpoint } from '../endpoint.ts'
import { inProject } from '../permissions.ts'
import { Named, sqlText } from './pg-meta-shapes.ts'
import { ProjectRef as ref } from '../values.ts'

export const ReplicationSlot = z.object({
  name: z.string(),
  type: z.enum(['logical', 'physical']),
  plugin: z.string().nullable(),
  database: z.string().nullable(),
  active: z.boolean(),
  temporary: z.boolean(),
  /** How far the WAL that it keeps goes back, and how far its reader is behind. */
  kept_bytes: z.number().nullable(),
  lag_bytes: z.number().nullable(),
  /** As pg_replication_slots says it: reserved, extended, unreserved, lost. */
  wal_status: z.string().nullable(),
  safe_wal_bytes: z.number().nullable(),
})
export type ReplicationSlot = z.infer<typeof ReplicationSlot>

export const ReplicationReader = z.object({
  pid: z.number(),
  user: z.string().nullable(),
  application: z.string().nullable(),
  client: z.string().nullable(),
  slot: z.string().nullable(),
  state: z.string().nullable(),
  sync_state: z.string().nullable(),
  lag_bytes: z.number().nullable(),
  lag_seconds: z.number().nullable(),
  since: z.string().nullable(),
})
export type ReplicationReader = z.infer<typeof ReplicationReader>

export const Replication = z.object({
  wal_level: z.string(),
  max_slots: z.number(),
  max_readers: z.number(),
  /** Most WAL that a slot keeps, as Postgres writes it: `1GB`; `-1` is without end. */
  max_slot_wal: z.string(),
  /** True on a server that itself follows another one. */
  is_replica: z.boolean(),
  slots: z.array(ReplicationSlot),
  readers: z.array(ReplicationReader),
})
export type Replication = z.infer<typeof Replication>

export const Parameter = z.object({
  name: z.string(),
  /** What a new connection of `postgres` gets: the first of `role_value`, `database_value` and `server_value`. */
  setting: z.string(),
  unit: z.string().nullable(),
  vartype: z.enum(['bool', 'string', 'integer', 'real', 'enum']),
  min: z.string().nullable(),
  max: z.string().nullable(),
  choices: z.array(z.string()),
  /** When a change counts: `postmaster` after a restart, `sighup` after a reload, `user` in every new session. */
  context: z.string(),
  /** What the server's own files say. */
  server_value: z.string(),
  /** What is set for the login `postgres`; null when nothing is. */
  role_value: z.string().nullable(),
  /** What is set for this database; null when nothing is. */
  database_value: z.string().nullable(),
  /** Roles that have a value of their own here. */
  roles: z.array(z.object({ role: z.string(), value: z.string() })),
  pending_restart: z.boolean(),
  /** Whether the caller may set it for the database. */
  may_set: z.boolean(),
})
export type Parameter = z.infer<typeof Parameter>

export const DatabaseServer = z.object({
  database: z.string(),
  owner: z.string(),
  version: z.string(),
  /** Whether the caller's login is a superuser. */
  is_superuser: z.boolean(),
  ssl: z.boolean(),
  ssl_in_use: z.boolean(),
  /** Sessions that are open now, of everyone. */
  connections: z.number(),
  max_connections: z.number(),
  reserved_connections: z.number(),
  parameters: z.array(Parameter),
})
export type DatabaseServer = z.infer<typeof DatabaseServer>

const options = z.record(Named, sqlText(10_000))

export const Wrapper = z.object({
  name: z.string(),
  owner: z.string(),
  extension: z.string().nullable(),
  may_use: z.boolean(),
})
export type Wrapper = z.infer<typeof Wrapper>

export const Server = z.object({
  id: z.number(),
  name: z.string(),
  wrapper: z.string(),
  owner: z.string(),
  options,
  /** Who has a login at the other server. Their secrets are not told. */
  mappings: z.array(z.object({ user: z.string(), options: z.array(z.string()) })),
  tables: z.array(z.object({ id: z.number(), schema: z.string(), name: z.string() })),
})
export type Server = z.infer<typeof Server>

const reads = (what: string) => inProject('tenant:Sql:Admin:Read', what)
const writes = (what: string) => inProject('tenant:Sql:Admin:Write', what)
const ByRef = z.object({ ref })

/** The server behind a project's database: its parameters, who follows it, and other servers that it reads from. */
export const databaseServer = {
  detail: endpoint('database-server.detail', 'GET /platform/pg-meta/:ref/server', {
    needs: reads('tables'),
    input: ByRef,
    returns: DatabaseServer,
  }),
  replication: endpoint('database-server.replication', 'GET /platform/pg-meta/:ref/replication', {
    needs: reads('publications'),
    input: ByRef,
    returns: Replication,
  }),
  /** Its reader loses its place and must copy everything anew. */
  dropSlot: endpoint(
    'database-server.drop-slot',
    'DELETE /platform/pg-meta/:ref/replication/slots/:name',
    {
      needs: writes('publications'),
      input: ByRef.extend({ name: Named }),
      returns: z.object({ name: z.string() }),
    },
  ),
  foreign: endpoint('database-server.foreign', 'GET /platform/pg-meta/:ref/foreign-servers', {
    needs: reads('tables'),
    input: ByRef,
    returns: z.object({ wrappers: z.array(Wrapper), servers: z.array(Server) }),
  }),
  /** Not a migration: it holds a password. */
  setMapping: endpoint(
    'database-server.set-mapping',
    'POST /platform/pg-meta/:ref/foreign-servers/mappings',
    {
      needs: writes('wrappers'),
      input: ByRef.extend({ server: Named, user: Named, options }),
      returns: z.object({ server: z.string(), user: z.string() }),
    },
  ),
  /** Connects as the caller would, asks the other server for its catalog, and leaves nothing behind. */
  testServer: endpoint(
    'database-server.test-server',
    'POST /platform/pg-meta/:ref/foreign-servers/test',
    {
      needs: writes('wrappers'),
      perMinute: 20,
      input: ByRef.extend({ server: Named }),
      /** Why there is no answer; null: there is one. */
      returns: z.object({ server: z.string(), error: z.string().nullable() }),
    },
  ),
}
