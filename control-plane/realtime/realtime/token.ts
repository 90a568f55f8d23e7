import { SignJWT } from 'jose'
import type { As } from '#contract/data-api/impersonation'
import type { ProjectConnection } from '#contract/internal'
import { ringOf } from '#kit/jwt-ring'

type Deps = {
  connection: (ref: string) => Promise<ProjectConnection>
  /** The oldest key of each kind, as text. */
  keysOf: (ref: string) => Promise<{ publishable?: string }>
}

/** Seconds. Who watches for longer asks for another one. */
const lifetime = 600

/** Makes tokens of a project for the people who manage it: for any role, with any claims, and for a short time. */
export const createWatchTokens =
  ({ connection, keysOf }: Deps) =>
  async (ref: string, { role, claims }: As) => {
    const found = await connection(ref)
    const { kid, algorithm: alg, signs } = ringOf(found).current
    const iat = Math.floor(Date.now() / 1000)
    const exp = iat + lifetime
    const iss = `${found.url}/auth/v1`
    const token = await new SignJWT({ iss, ...claims, role, iat, exp })
      .setProtectedHeader({ alg, kid, typ: 'JWT' })
      .sign(signs)
    const { publishable } = await keysOf(ref)
    return { token, expires_at: exp, api_key: publishable ?? found.anonKey }
  }
export type WatchTokens = ReturnType<typeof createWatchTokens>
