/** Roles that the platform's services and the public client libraries are built on (see the schema of a new project). */
const names = new Set([
  'anon',
  'authenticated',
  'service_role',
  'dashboard_user',
  'authenticator',
  'postgres',
])

/** Roles of the platform or of Postgres itself: shown, not changed here. */
export const isPlatformRole = (name: string) =>
  names.has(name) || /^(pg_|supabase_|plinth_|authenticator_)/.test(name)
