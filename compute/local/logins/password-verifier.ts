import { isLoginRole } from '#contract/database/login-roles'
import { isScramVerifier } from '#kit/postgres/scram'
import { findRunning } from '#kit/postgres/server'
import { withAdmin } from '../admin-session.ts'
import { guarded } from '../expected-roles.ts'
import type { Machine } from '../machine.ts'

/** Logins of the platform. The customer's own is not among them, and not those that people are given for a while. */
const ofPlatform = [
  'authenticator',
  ...guarded.filter((role) => role !== 'postgres' && !isLoginRole(role)),
]

/** A row of the catalogue alone; nothing that a tenant has made is called, and no password is told to the server's log. */
const verifierSql = `select r.rolpassword as text from pg_catalog.pg_authid r
  where r.rolname = $1::pg_catalog.text and r.rolcanlogin and not r.rolsuper and not r.rolreplication
    and (r.rolvaliduntil is null or r.rolvaliduntil > pg_catalog.now())
    and r.rolpassword is not null`

/** Of a role that may sign in now. Undefined: there is none, it is the platform's, or the server does not run. */
export async function passwordVerifier(
  { folders }: Machine,
  ref: string,
  role: string,
  password: string,
): Promise<string | undefined> {
  if (ofPlatform.includes(role)) return undefined
  const server = await findRunning(folders.data(ref))
  if (!server) return undefined
  const admin = { host: server.socketDir, port: server.port, password }
  const { rows } = await withAdmin(admin, 'verifier', (client) =>
    client.query<{ text: string }>(verifierSql, [role]),
  )
  const text = rows[0]?.text
  return text === undefined || isScramVerifier(text) ? text : 'other'
}
