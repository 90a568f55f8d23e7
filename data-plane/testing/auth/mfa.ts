import type { SupabaseClient } from '@supabase/supabase-js'
import { generateSync } from 'otplib'
import { expect } from 'vitest'
import { newEmail, password } from './server.ts'
import type { TestServer, TestTenant } from './server.ts'

/** What tests about second factors share: a user, and an authenticator app whose clock is the service's. */
export function mfaTesting(server: TestServer, tenant: TestTenant) {
  const codeOf = (secret: string, seconds = 0) =>
    generateSync({ secret, epoch: Math.floor(server.auth.now().getTime() / 1000) + seconds })

  /** The next code, since each works once. */
  function nextCode(secret: string): string {
    server.advance(30)
    return codeOf(secret)
  }

  async function signedUp(email = newEmail()): Promise<{ client: SupabaseClient; email: string }> {
    const client = tenant.client()
    const { error } = await client.auth.signUp({ email, password })
    expect(error).toBeNull()
    return { client, email }
  }

  async function signedIn(email: string): Promise<SupabaseClient> {
    const client = tenant.client()
    expect((await client.auth.signInWithPassword({ email, password })).error).toBeNull()
    return client
  }

  /** A user with a verified factor, the session that verified it, and the code that did. */
  async function protectedUser() {
    const { client, email } = await signedUp()
    const factor = await enrolled(client)
    const code = nextCode(factor.secret)
    const { error } = await client.auth.mfa.challengeAndVerify({ factorId: factor.id, code })
    expect(error).toBeNull()
    return { client, email, factor, code }
  }

  const as = (token: string, method: string, path: string, body?: unknown) =>
    tenant.call(method, path, body, { authorization: `Bearer ${token}` })

  return { codeOf, nextCode, signedUp, signedIn, protectedUser, as }
}

export async function enrolled(client: SupabaseClient, friendlyName = 'Telephone') {
  const { data, error } = await client.auth.mfa.enroll({ factorType: 'totp', friendlyName })
  if (error) throw error
  return { id: data.id, secret: data.totp.secret, totp: data.totp }
}

/** Status and code of a refusal that the library reports. */
export function codeIn({ error }: { error: unknown }) {
  // The library's own error class, which its types do not narrow to.
  const known = (error ?? {}) as { code?: string; status?: number }
  return [known.status, known.code]
}

export const refusal = async (response: Response) => [
  response.status,
  response.headers.get('x-sb-error-code'),
]

export const tokenOf = async (client: SupabaseClient) =>
  (await client.auth.getSession()).data.session?.access_token ?? ''

export const level = async (client: SupabaseClient) =>
  (await client.auth.mfa.getAuthenticatorAssuranceLevel()).data
