/** Schemas that belong to the platform's services: shown, not changed here (facts §10). */
const names = new Set(
  (
    'auth cron extensions information_schema net pgsodium pgsodium_masks pgbouncer pgtle realtime storage ' +
    'supabase_functions supabase_migrations vault graphql graphql_public pgmq_public'
  ).split(' '),
)
export const isProtected = (schema: string) => names.has(schema)
