import type { SupabaseClient } from '@supabase/supabase-js'
import * as openid from 'openid-client'
import { expect } from 'vitest'
import { newEmail, password, startAuthServer } from './server.ts'

export const redirectUri = 'https://app.example.com/back'
export const verifier = 'v'.repeat(50)
export const challengeFor = () => openid.calculatePKCECodeChallenge(verifier)
export const located = (response: Response) =>
  new URL(response.headers.get('location') ?? 'http://none')

/** Status and word of a refusal of OAuth. */
export const oauthError = async (response: Response) => [
  response.status,
  ((await response.json()) as { error?: string }).error,
]

/** A tenant with one app, and what apps and people do there. */
export async function startOauth() {
  const server = await startAuthServer()
  const tenant = await server.tenant('apps', {
    mailerAutoconfirm: true,
    oauthServer: { dynamicRegistration: false, authorizationPath: '/oauth/consent' },
  })
  const admin = () => tenant.client(tenant.serviceKey).auth.admin.oauth

  async function register(more: object = {}) {
    const { data, error } = await admin().createClient({
      client_name: 'App',
      redirect_uris: [redirectUri],
      ...more,
    })
    if (error || !data) throw error ?? new Error('no client')
    return data
  }

  const client = await register()

  async function ask(more: Record<string, string> = {}) {
    const query = new URLSearchParams({
      response_type: 'code',
      client_id: client.client_id,
      redirect_uri: redirectUri,
      scope: 'email profile',
      state: 's t',
      code_challenge: await challengeFor(),
      code_challenge_method: 'S256',
      ...more,
    })
    return tenant.call('GET', `/oauth/authorize?${query.toString()}`)
  }
  const asked = async (more?: Record<string, string>) =>
    located(await ask(more)).searchParams.get('authorization_id') ?? ''

  async function person(): Promise<SupabaseClient> {
    const made = tenant.client()
    await made.auth.signUp({ email: newEmail(), password })
    return made
  }

  /** What an app gets to trade, once the person agreed. */
  async function codeOf(who: SupabaseClient, more?: Record<string, string>): Promise<string> {
    const { data, error } = await who.auth.oauth.approveAuthorization(await asked(more))
    expect(error).toBeNull()
    return new URL(data?.redirect_url ?? '').searchParams.get('code') ?? ''
  }

  function trade(
    form: Record<string, string>,
    secret = client.client_secret ?? '',
    id = client.client_id,
  ) {
    const authorization = `Basic ${Buffer.from(`${id}:${secret}`).toString('base64')}`
    return fetch(`${tenant.externalUrl}/oauth/token`, {
      method: 'POST',
      body: new URLSearchParams(form),
      headers: secret ? { authorization } : {},
    })
  }
  const redeem = (code: string, more: object = {}) =>
    trade({
      grant_type: 'authorization_code',
      code,
      redirect_uri: redirectUri,
      code_verifier: verifier,
      ...more,
    })

  return { server, tenant, client, admin, register, ask, asked, person, codeOf, trade, redeem }
}
