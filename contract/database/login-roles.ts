/**
 * Logins of a project's database that a program is given for a while, because it knows a token of the platform and no password.
 * Public command line clients know these names: they look over roles that begin so, and become `postgres` in a session of the first.
 */
export const loginRoles = { owner: 'cli_login_postgres', reader: 'cli_login_read_only' } as const
export type LoginRole = (typeof loginRoles)[keyof typeof loginRoles]

/** Seconds for which somebody can sign in with one; what is connected by then goes on. */
export const loginRoleSeconds = 3600

export const isLoginRole = (role: string): boolean =>
  Object.values<string>(loginRoles).includes(role)
