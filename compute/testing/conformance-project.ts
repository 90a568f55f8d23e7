import { withClient } from '#kit/postgres/client'
import type { DatabaseAddress, ProjectSpec } from '../provider.ts'
import type { Names } from './capabilities.ts'

let refs = 0
/** A ref that no other test uses. */
export function testRef(): string {
  const letters = (refs++).toString(26).padStart(4, '0').replace(/./g, toLetter)
  return `conformanceproje${letters}`
}
const toLetter = (digit: string) => String.fromCharCode(97 + Number.parseInt(digit, 26))

export function specOf(ref: string): ProjectSpec {
  const passwords = { postgres: `p-${ref}'"\\ü`, service: `s-${ref}`, admin: `a-${ref}` }
  return { ref, passwords, limits: { maxConnections: 40 } }
}

export type Login = { role: string; password: string }

/** Runs statements one by one in one session; the answer is the first column of the last one's first row. */
export function ask(at: DatabaseAddress, login: Login, ...statements: string[]): Promise<unknown> {
  const { role: user, password } = login
  const connection = {
    host: at.socketDir,
    port: at.port,
    user,
    password,
    database: at.name ?? 'postgres',
    ...(at.tls && { ssl: { rejectUnauthorized: at.tls === 'verify-full' } }),
  }
  return withClient(connection, async (client) => {
    let answer: unknown
    for (const sql of statements) {
      const result = await client.query<Record<string, unknown>>(sql)
      // Several statements in one text give a list of results.
      answer = Array.isArray(result) ? undefined : Object.values(result.rows[0] ?? {})[0]
    }
    return answer
  })
}

export const customer = (ref: string): Login => ({
  role: 'postgres',
  password: specOf(ref).passwords.postgres,
})
export const service = (ref: string, role: string): Login => ({
  role,
  password: specOf(ref).passwords.service,
})
export const admin = (ref: string): Login => ({
  role: 'supabase_admin',
  password: specOf(ref).passwords.admin,
})

/** The same where these two have other names. */
export const loginsOf = (names: Names) => ({
  customer: (ref: string): Login => ({ ...customer(ref), role: names.customer }),
  admin: (ref: string): Login => ({ ...admin(ref), role: names.admin }),
})
