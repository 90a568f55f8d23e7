import { z } from 'zod'
import { endpoint } from '../endpoint.ts'
import { PostgresParameters } from './v1-postgres.ts'
import { RealtimeConfig } from '../realtime/realtime-config.ts'
import { inProject } from '../permissions.ts'
import { ProjectRef } from '../values.ts'

const enabled = z.object({ enabled: z.boolean() })
const Cidr = z.object({ address: z.string(), type: z.enum(['v4', 'v6']) })

const Attributes = z.object({
  database: z.object({
    major_version: z.number().int(),
    ssl_enforced: z.boolean(),
    network_restrictions: z.object({
      entitlement: z.enum(['disallowed', 'allowed']),
      status: z.enum(['stored', 'applied']),
      allowed_cidrs: z.array(Cidr),
    }),
    /** Those that are set for the database. */
    postgres_settings: PostgresParameters,
  }),
  /** By the names of `/v1/projects/:ref/config/auth`. */
  auth: z.record(z.string(), z.unknown()),
  api: z.object({
    db_schema: z.string(),
    db_extra_search_path: z.string(),
    max_rows: z.int(),
    db_pool: z.int().nullable(),
  }),
  realtime: RealtimeConfig.extend({
    presence_enabled: z.literal(true),
    postgres_changes_pool: z.null(),
  }),
  storage: z.object({
    file_size_limit: z.number().int(),
    features: z.object({
      image_transformation: enabled,
      s3_protocol: enabled,
    }),
    capabilities: z.object({
      list_v2: z.boolean(),
      iceberg_catalog: z.boolean(),
      object_versioning: z.boolean(),
    }),
  }),
})

/** All settings of a project at once, as the command line client compares them with a file. Each is changed at its own address below /v1. */
export const v1Config = {
  config: endpoint('v1.config', 'GET /v2/projects/:ref/config', {
    needs: inProject('read:Read', 'projects'),
    input: z.object({ ref: ProjectRef }),
    returns: z.object({
      data: z.object({
        type: z.literal('project_config'),
        id: z.string(),
        attributes: Attributes,
      }),
    }),
  }),
}
