import { z } from 'zod'
import { endpoint } from '../endpoint.ts'
import { inProject } from '../permissions.ts'
import { ProjectRef } from '../values.ts'

/** Whether tables that are made from now on can be reached by anon and authenticated at once, or once they are granted. */
export const newTablesChoices = ['private', 'granted'] as const
export type NewTables = (typeof newTablesChoices)[number]

/** Of a project that has chosen nothing. */
export const dataApiDefaults = {
  db_schema: 'public, graphql_public',
  db_extra_search_path: 'public, extensions',
  max_rows: 1000,
  new_tables: 'private' as NewTables,
}

/** Schemas that the data API can never show. */
export const unexposable = ['pg_catalog', 'information_schema']

/** The names of a list joined by commas, without blanks and repetitions. */
export const namesIn = (list: string): string[] => [
  ...new Set(
    list
      .split(',')
      .map((name) => name.trim())
      .filter(Boolean),
  ),
]

/** Names that Postgres would cut, or that hold control characters. */
const bad = (name: string) => new TextEncoder().encode(name).length > 63 || /\p{Cc}/u.test(name)

const names = z
  .string()
  .max(6000)
  .refine((list) => !namesIn(list).some(bad), 'must be names of schemas, joined by commas')

const exposed = names.refine(
  (list) => !namesIn(list).some((name) => unexposable.includes(name)),
  `cannot name ${unexposable.join(' or ')}`,
)

const Settings = z.object({
  /** Schemas of the data API, joined by commas; the first is the default. Empty: the data API is switched off. */
  db_schema: z.string(),
  /** Schemas in which functions and types are looked for besides, joined by commas. */
  db_extra_search_path: z.string(),
  /** Rows that one answer has at most. */
  max_rows: z.int(),
  /** Connections at most, for each role of requests; null: as many as the installation gives. */
  db_pool: z.int().nullable(),
  /**
   * `private`: tables and views made from now on in exposed schemas are granted to no role but service_role, and begin with
   * row level security. `granted`: anon and authenticated reach them at once, and row level security is as the SQL says.
   */
  new_tables: z.enum(newTablesChoices),
  /** Requests in a minute that one caller of the data API and GraphQL is answered; null: any number. */
  rate_limit: z.number().nullable(),
})
export type DataApiSettings = z.infer<typeof Settings>

/** What is named is changed; null takes the default back. */
const changes = {
  db_schema: exposed.nullable().optional(),
  db_extra_search_path: names.nullable().optional(),
  max_rows: z.number().int().min(1).max(1_000_000).nullable().optional(),
  db_pool: z.number().int().min(0).max(1000).nullable().optional(),
  new_tables: z.enum(newTablesChoices).nullable().optional(),
  rate_limit: z.number().int().min(1).max(1_000_000).nullable().optional(),
}

const Config = Settings.extend({
  db_anon_role: z.string(),
  role_claim_key: z.string(),
  /** Present only for callers who may read `field.jwt_secret`. */
  jwt_secret: z.string().optional(),
})
/** Programs expect to be told of these, which no project sets here. */
const V1Config = Settings.extend({
  jwt_secret: z.string().optional(),
  db_pool_acquisition_timeout: z.null(),
  db_pool_max_lifetime: z.null(),
  db_pool_max_idletime: z.null(),
})

const ByRef = z.object({ ref: ProjectRef })
const reads = inProject('read:Read', 'custom_config_postgrest')
const writes = inProject('write:Update', 'custom_config_postgrest')

/**
 * How the data API of a project works. The settings stand in the project's own database, as `pgrst.*` settings of the role
 * `authenticator`, so SQL and these endpoints change and read the same ones. A change holds at once.
 */
export const dataApi = {
  config: endpoint('dataApi.config', 'GET /platform/projects/:ref/config/postgrest', {
    needs: reads,
    input: ByRef,
    returns: Config,
  }),
  /** Only what is named changes; the answer is everything. */
  updateConfig: endpoint('dataApi.updateConfig', 'PATCH /platform/projects/:ref/config/postgrest', {
    needs: writes,
    input: ByRef.extend(changes),
    returns: Config,
  }),
}

/** The same for programs. */
export const v1DataApi = {
  dataApi: endpoint('v1.dataApi', 'GET /v1/projects/:ref/postgrest', {
    needs: reads,
    input: ByRef,
    returns: V1Config,
  }),
  updateDataApi: endpoint('v1.updateDataApi', 'PATCH /v1/projects/:ref/postgrest', {
    needs: writes,
    input: ByRef.extend(changes),
    returns: V1Config,
  }),
}
