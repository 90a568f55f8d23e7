import { z } from 'zod'
import { endpoint } from '../endpoint.ts'
import { inProject } from '../permissions.ts'
import { ProjectRef } from '../values.ts'

const ByRef = z.object({ ref: ProjectRef })
const size = z.string().regex(/^\d{1,10}\s?(?:B|kB|MB|GB|TB)?$/, 'must be a size such as 64MB')
const workers = z.number().int().min(0).max(1024)

/** Parameters that a database has for itself; the others belong to whoever runs its server. */
export const PostgresParameters = z.object({
  effective_cache_size: size.optional(),
  logical_decoding_work_mem: size.optional(),
  maintenance_work_mem: size.optional(),
  max_parallel_maintenance_workers: workers.optional(),
  max_parallel_workers: workers.optional(),
  max_parallel_workers_per_gather: workers.optional(),
  session_replication_role: z.enum(['origin', 'replica', 'local']).optional(),
  statement_timeout: z
    .string()
    .regex(/^\d{1,10}\s?(?:us|ms|s|min|h|d)?$/, 'must be a time such as 30s')
    .optional(),
  work_mem: size.optional(),
})
export const postgresParameters = Object.keys(PostgresParameters.shape)

const Change = z.strictObject(
  {
    ...PostgresParameters.shape,
    ref: ProjectRef,
    /** Taken for the sake of programs that send it: nothing here needs a restart. */
    restart_database: z.boolean().optional(),
  },
  {
    error: (issue: { code?: string; keys?: readonly string[] }) =>
      issue.code === 'unrecognized_keys'
        ? `${(issue.keys ?? []).join(', ')}: cannot be set for one database`
        : undefined,
  },
)

/** Postgres parameters of a project's database, and what is in it. */
export const v1Postgres = {
  /** Those that are set for the database; the others are the server's. */
  postgresConfig: endpoint('v1.postgresConfig', 'GET /v1/projects/:ref/config/database/postgres', {
    needs: inProject('read:Read', 'projects'),
    input: ByRef,
    returns: PostgresParameters,
  }),
  /** All that is set for the database from now on: what is left out goes back to the server's. Holds for sessions that begin after it. */
  updatePostgresConfig: endpoint(
    'v1.updatePostgresConfig',
    'PUT /v1/projects/:ref/config/database/postgres',
    {
      needs: inProject('write:Update', 'projects'),
      input: Change,
      returns: PostgresParameters,
    },
  ),
  /** What is named changes, and nothing else. */
  changePostgresConfig: endpoint(
    'v1.changePostgresConfig',
    'PATCH /v1/projects/:ref/config/database/postgres',
    { needs: inProject('write:Update', 'projects'), input: Change, returns: PostgresParameters },
  ),
  buckets: endpoint('v1.buckets', 'GET /v1/projects/:ref/storage/buckets', {
    needs: inProject('storage:Read', '*'),
    input: ByRef,
    returns: z.array(
      z.object({
        id: z.string(),
        name: z.string(),
        owner: z.string(),
        public: z.boolean(),
        created_at: z.string(),
        updated_at: z.string(),
      }),
    ),
  }),
  context: endpoint('v1.context', 'GET /v1/projects/:ref/database/context', {
    needs: inProject('tenant:Sql:Admin:Read', 'tables'),
    input: ByRef,
    returns: z.object({
      databases: z.array(
        z.object({ name: z.string(), schemas: z.array(z.object({ name: z.string() })) }),
      ),
    }),
  }),
}
