import { expect } from 'vitest'
import { follow, lastMail, newEmail, password } from './server.ts'
import type { TestTenant } from './server.ts'

/** What tests about attackers share: requests as anybody can send them, without the client library's care. */
export type Session = {
  access_token: string
  refresh_token: string
  user: { id: string; email: string }
}

// The shapes of answers are the client library's contract, which is tested with the library itself.
export const json = async <T>(response: Response) => (await response.json()) as T

/** Status and code of a refusal. */
export const code = async (response: Response) => [
  response.status,
  (await json<{ error_code?: string }>(response)).error_code,
]

export const bearer = (token: string) => ({ authorization: `Bearer ${token}` })

export function sessionOf(token: string): string {
  const claims = Buffer.from(token.split('.')[1] ?? '', 'base64url').toString()
  return (JSON.parse(claims) as { session_id: string }).session_id // our own token
}

/** Somebody with a confirmed account and one session. */
export async function victim(tenant: TestTenant): Promise<Session> {
  const email = newEmail()
  const answer = await tenant.call('POST', '/signup', { email, password })
  expect(answer.status).toBe(200)
  if (tenant.config.mailerAutoconfirm) return json<Session>(answer)
  await follow(lastMail(tenant, email).url)
  return signIn(tenant, email)
}

export const signIn = async (tenant: TestTenant, email: string, word = password) =>
  json<Session>(await tenant.call('POST', '/token?grant_type=password', { email, password: word }))

export const refresh = (tenant: TestTenant, token: string) =>
  tenant.call('POST', '/token?grant_type=refresh_token', { refresh_token: token })
