import { z } from 'zod'
import { endpoint } from '../endpoint.ts'
import { backupStatuses } from '../projects/backups.ts'
import { inProject } from '../permissions.ts'
import { ProjectRef } from '../values.ts'

const ByRef = z.object({ ref: ProjectRef })
const reads = inProject('read:Read', 'projects')

/** What programs ask about the servers of an installation: answered as it is here. */
export const v1Installation = {
  /** The pooler in transaction mode; empty where there is none. */
  pooler: endpoint('v1.pooler', 'GET /v1/projects/:ref/config/database/pooler', {
    needs: reads,
    input: ByRef,
    returns: z.array(
      z.object({
        identifier: z.string(),
        database_type: z.literal('PRIMARY'),
        is_using_scram_auth: z.boolean(),
        db_user: z.string(),
        db_host: z.string(),
        db_port: z.int(),
        db_name: z.string(),
        /** With `[YOUR-PASSWORD]` in the place of the password. */
        connection_string: z.string(),
        /** The same under an older name, without which public command line clients do not read the rest. */
        connectionString: z.string(),
        default_pool_size: z.int(),
        max_client_conn: z.int(),
        pool_mode: z.literal('transaction'),
      }),
    ),
  }),
  pgbouncer: endpoint('v1.pgbouncer', 'GET /v1/projects/:ref/config/database/pgbouncer', {
    needs: reads,
    input: ByRef,
    /** Empty where there is no pooler. */
    returns: z.object({
      pool_mode: z.literal('transaction').optional(),
      default_pool_size: z.int().optional(),
      max_client_conn: z.int().optional(),
      connection_string: z.string().optional(),
    }),
  }),
  /** `enabled` while the organization owes too much for too long, or the database has more than its plan allows. */
  readonly: endpoint('v1.readonly', 'GET /v1/projects/:ref/readonly', {
    needs: reads,
    input: ByRef,
    returns: z.object({
      enabled: z.boolean(),
      override_enabled: z.boolean(),
      override_active_until: z.string(),
    }),
  }),
  /**
   * A full database can be written to for a quarter of an hour. What is read-only because of debts becomes writable by paying
   * them; otherwise nothing is, and there is nothing to disable.
   */
  disableReadonly: endpoint(
    'v1.disableReadonly',
    'POST /v1/projects/:ref/readonly/temporary-disable',
    {
      needs: inProject('write:Update', 'projects'),
      status: 201,
      input: ByRef,
      returns: z.object({}),
    },
  ),
  backups: endpoint('v1.backups', 'GET /v1/projects/:ref/database/backups', {
    needs: inProject('read:Read', 'back_ups'),
    input: ByRef,
    returns: z.object({
      region: z.string(),
      walg_enabled: z.boolean(),
      pitr_enabled: z.boolean(),
      backups: z.array(
        z.object({
          id: z.int(),
          inserted_at: z.string(),
          status: z.enum(backupStatuses),
          is_physical_backup: z.boolean(),
        }),
      ),
      physical_backup_data: z.object({
        earliest_physical_backup_date_unix: z.int().optional(),
        latest_physical_backup_date_unix: z.int().optional(),
      }),
    }),
  }),
  /** Restores the database to a moment, in place. */
  restorePitr: endpoint('v1.restorePitr', 'POST /v1/projects/:ref/database/backups/restore-pitr', {
    needs: inProject('infra:Execute', 'queue_job.walg.prepare_restore'),
    perMinute: 10,
    status: 201,
    input: ByRef.extend({ recovery_time_target_unix: z.number().int().min(0).max(4_102_444_800) }),
    returns: z.object({}),
  }),
}
