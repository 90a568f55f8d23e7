import type { RoleFlag } from '#contract/ddl/roles'

type FlagWord = {
  flag: RoleFlag
  word: string
  about: string
  /** Goes past protections. */
  grave?: true
  /** Only a superuser can give it. */
  superuser?: true
  /** So common that a list does not say it. */
  quiet?: true
}

export const flagWords: readonly FlagWord[] = [
  { flag: 'can_login', word: 'Log in', about: 'Can connect to the database.' },
  {
    flag: 'inherit_role',
    word: 'Inherit',
    about: 'Inherits the privileges of the roles it is a member of.',
    quiet: true,
  },
  { flag: 'can_create_role', word: 'Create roles', about: 'Can create and change other roles.' },
  { flag: 'can_create_db', word: 'Create databases', about: 'Can create its own databases.' },
  {
    flag: 'is_replication_role',
    word: 'Replication',
    about: 'Can stream every change, and a copy of the whole server.',
    grave: true,
    superuser: true,
  },
  {
    flag: 'can_bypass_rls',
    word: 'Bypass RLS',
    about: 'Sees and changes every row, whatever the policies say.',
    grave: true,
  },
  {
    flag: 'is_superuser',
    word: 'Superuser',
    about: 'Bypasses all permission checks.',
    grave: true,
    superuser: true,
  },
]

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
