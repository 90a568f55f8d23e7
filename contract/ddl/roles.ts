import { changeName, type Change } from './change.ts'
import { parameterStep } from './parameters.ts'
import { ident, quoteLiteral } from './sql-text.ts'

/** What a role may be, under the names of the metadata API, with the word for it and for its absence. */
export const roleFlags = {
  is_superuser: ['superuser', 'nosuperuser'],
  can_login: ['login', 'nologin'],
  can_create_role: ['createrole', 'nocreaterole'],
  can_create_db: ['createdb', 'nocreatedb'],
  inherit_role: ['inherit', 'noinherit'],
  is_replication_role: ['replication', 'noreplication'],
  can_bypass_rls: ['bypassrls', 'nobypassrls'],
} as const
export type RoleFlag = keyof typeof roleFlags
export const roleFlagNames = Object.keys(roleFlags) as RoleFlag[] // the keys of the constant above

export type RoleSettings = { [Flag in RoleFlag]?: boolean | undefined } & {
  /** -1 is without limit. */
  connection_limit?: number | undefined
  /** A moment, or null for ever. */
  valid_until?: string | null | undefined
  config?: Record<string, string> | null | undefined
}

export type NewRole = RoleSettings & {
  name: string
  /** Roles whose rights it gets. */
  member_of?: readonly string[] | undefined
}

/** The defaults of CREATE ROLE, so that only what differs is said. */
const defaults: Required<Omit<RoleSettings, 'config' | 'valid_until'>> = {
  is_superuser: false,
  can_login: false,
  can_create_role: false,
  can_create_db: false,
  inherit_role: true,
  is_replication_role: false,
  can_bypass_rls: false,
  connection_limit: -1,
}

function words(from: RoleSettings, to: RoleSettings): string[] {
  const flags: string[] = roleFlagNames.flatMap((flag) => {
    const desired = to[flag]
    const [yes, no] = roleFlags[flag]
    return desired === undefined || desired === from[flag] ? [] : [desired ? yes : no]
  })
  const { connection_limit: limit, valid_until: until } = to
  if (limit !== undefined && limit !== from.connection_limit)
    flags.push(`connection limit ${Math.trunc(limit)}`)
  if (until !== undefined && until !== (from.valid_until ?? null))
    flags.push(`valid until ${quoteLiteral(until ?? 'infinity').trim()}`)
  return flags
}

function configSteps(
  role: string,
  from: Record<string, string> | null | undefined,
  to: Record<string, string> | null | undefined,
): string[] {
  if (to === undefined) return []
  const [old, next] = [from ?? {}, to ?? {}]
  const gone = Object.keys(old).filter((name) => !Object.hasOwn(next, name))
  const set = Object.entries(next).filter(([name, value]) => old[name] !== value)
  return [
    ...gone.map((name) => parameterStep({ role }, name, null)),
    ...set.map(([name, value]) => parameterStep({ role }, name, value)),
  ]
}

/** Without a password: that is set apart and never written down (see the roles page). */
export function createRole({ name, member_of: groups = [], ...settings }: NewRole): Change {
  const options = words(defaults, settings)
  return {
    name: changeName('create_role', name),
    statements: [
      `create role ${ident(name)}${options.length > 0 ? ` with ${options.join(' ')}` : ''}`,
      ...configSteps(name, null, settings.config),
      ...groups.map((group) => `grant ${ident(group)} to ${ident(name)}`),
    ],
    inverse: [`drop role ${ident(name)}`],
  }
}

type RoleThere = RoleSettings & { name: string }

export function changeRole(there: RoleThere, desired: Partial<RoleThere>): Change {
  const to = { ...there, ...desired }
  return {
    name: changeName('change_role', there.name),
    statements: steps(there, to),
    inverse: steps(to, there),
  }
}

function steps(from: RoleThere, to: RoleThere): string[] {
  const options = words(from, to)
  return [
    ...(options.length > 0 ? [`alter role ${ident(from.name)} with ${options.join(' ')}`] : []),
    ...configSteps(from.name, from.config, to.config),
    ...(from.name === to.name
      ? []
      : [`alter role ${ident(from.name)} rename to ${ident(to.name)}`]),
  ]
}

/** With `cascade` what it owns in this database goes too; otherwise Postgres refuses while it owns anything. */
export const dropRole = (there: RoleThere, cascade = false): Change => ({
  name: changeName('drop_role', there.name),
  statements: [
    ...(cascade ? [`drop owned by ${ident(there.name)} cascade`] : []),
    `drop role ${ident(there.name)}`,
  ],
  ...(cascade ? {} : { inverse: createRole(there).statements }),
})
