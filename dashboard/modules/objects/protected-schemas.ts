/** Schemas that belong to the platform's services: shown, not changed here (facts §10). */
const names = new Set(
  (
    'auth cron extensions information_schema net pgsodium pgsodium_masks pgbouncer pgtle realtime storage ' +
    'supabase_functions supabase_migrations vault graphql graphql_public pgmq_public'
  ).split(' '),
)
export const isProtected = (schema: string) => names.has(schema) || schema.startsWith('pg_')

/** Tables of services on which a project writes policies of its own. */
const openToPolicies = new Set(['realtime.messages', 'storage.objects', 'storage.buckets'])

/** Why policies of a table are not changed; undefined where they may be. */
export const policyProtection = (schema: string, table: string) =>
  openToPolicies.has(`${schema}.${table}`) ? undefined : protection(schema)

/** Why nothing is changed in a schema; undefined where it may be. */
export const protection = (schema: string) =>
  isProtected(schema)
    ? `The schema ${schema} belongs to the platform and cannot be changed here.`
    : undefined
