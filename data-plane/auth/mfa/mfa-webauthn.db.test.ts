import { afterAll, beforeAll, expect, test } from 'vitest'
import { newAuthenticator } from '../../testing/auth/authenticator.ts'
import { mfaTesting, refusal, tokenOf } from '../../testing/auth/mfa.ts'
import { startAuthServer, type TestServer, type TestTenant } from '../../testing/auth/server.ts'

const origin = 'https://app.example.com'
const webauthn = { rpId: 'example.com', rpOrigins: [origin] }
let server: TestServer
let tenant: TestTenant
let tools: ReturnType<typeof mfaTesting>

beforeAll(async () => {
  server = await startAuthServer()
  tenant = await server.tenant('sticks', {
    siteUrl: origin,
    mailerAutoconfirm: true,
    mfaWebauthnEnabled: true,
    mfaWebauthnEnrollEnabled: true,
  })
  tools = mfaTesting(server, tenant)
})
afterAll(() => server.close())

type Options = { challenge: string; rp: { id: string }; user: { id: string }; rpId: string }
type Challenged = {
  id: string
  webauthn: { type: 'create' | 'request'; credential_options: { publicKey: Options } }
}

/** A user with a new factor; how it is challenged and answered without a browser. */
async function person() {
  const { client, email } = await tools.signedUp()
  const made = await client.auth.mfa.enroll({ factorType: 'webauthn', friendlyName: 'Stick' })
  expect(made.error).toBeNull()
  const factorId = made.data?.id ?? ''
  const token = await tokenOf(client)
  const ask = (body: object = { webauthn }, as = token) =>
    tools.as(as, 'POST', `/factors/${factorId}/challenge`, body)
  const challenge = async (as = token) => (await (await ask(undefined, as)).json()) as Challenged
  const answer = (
    { id, webauthn: { type } }: Challenged,
    credential_response: object,
    as = token,
  ) =>
    tools.as(as, 'POST', `/factors/${factorId}/verify`, {
      challenge_id: id,
      webauthn: { type, ...webauthn, credential_response },
    })
  return { client, email, factorId, token, ask, challenge, answer }
}
const failed = [422, 'mfa_verification_failed']

test('it is refused where it is off, and for pages that are not the tenant’s', async () => {
  const { config } = tenant
  const { client, ask, challenge, answer } = await person()
  tenant.config = { ...config, mfaWebauthnEnrollEnabled: false }
  const off = await client.auth.mfa.enroll({ factorType: 'webauthn', friendlyName: 'B' })
  expect(off.error?.code).toBe('mfa_webauthn_enroll_not_enabled')
  tenant.config = config
  for (const [what, asked] of [
    ['nothing', {}],
    ['a foreign page', { webauthn: { rpId: 'evil.example', rpOrigins: ['https://evil.example'] } }],
    ['a page of another name', { webauthn: { rpId: 'other.com', rpOrigins: [origin] } }],
    ['the end of a name', { webauthn: { rpId: 'ple.com', rpOrigins: [origin] } }],
    ['no page', { webauthn: { rpId: 'example.com', rpOrigins: ['x'] } }],
  ] as const) {
    expect(await refusal(await ask(asked)), what).toEqual([400, 'validation_failed'])
  }
  tenant.config = { ...config, webauthn: { rpId: 'app.example.com', rpOrigins: [], rpName: '' } }
  expect(await refusal(await ask())).toEqual([400, 'validation_failed'])
  tenant.config = config
  const begun = await challenge()
  const made = newAuthenticator().create(begun.webauthn.credential_options.publicKey, { origin })
  tenant.config = { ...config, mfaWebauthnEnabled: false }
  expect(await refusal(await answer(begun, made))).toEqual([422, 'mfa_webauthn_verify_not_enabled'])
  tenant.config = config
  expect(await refusal(await answer(begun, { id: 'x' }))).toEqual([400, 'validation_failed'])
})

test('a key becomes the second factor, and raises later sessions', async () => {
  const { client, email, factorId, challenge, answer } = await person()
  const device = newAuthenticator()
  const begun = await challenge()
  expect(begun.webauthn.type).toBe('create')
  const options = begun.webauthn.credential_options.publicKey
  const phished = device.create(options, { origin: 'https://evil.example' })
  expect(await refusal(await answer(begun, phished))).toEqual(failed)
  const enrolled = await answer(begun, device.create(options, { origin }))
  expect(enrolled.status).toBe(200)
  const session = (await enrolled.json()) as { access_token: string; refresh_token: string }
  await client.auth.setSession(session)
  const claims = (await client.auth.getClaims()).data?.claims
  expect(claims).toMatchObject({ aal: 'aal2' })
  expect(JSON.stringify(claims?.amr)).toContain('"method":"webauthn"')
  expect((await client.auth.mfa.listFactors()).data?.all).toMatchObject([
    { id: factorId, factor_type: 'webauthn', status: 'verified' },
  ])

  const later = await tools.signedIn(email)
  const token = await tokenOf(later)
  const asked = await challenge(token)
  expect(asked.webauthn.type).toBe('request')
  const signing = asked.webauthn.credential_options.publicKey
  const stranger = newAuthenticator().get(signing, { origin })
  expect(await refusal(await answer(asked, stranger, token))).toEqual(failed)
  const good = device.get(signing, { origin })
  const raised = await answer(asked, good, token)
  expect(raised.status).toBe(200)
  const up = ((await raised.json()) as { access_token: string }).access_token
  // The same answer again, and the same signature for a new challenge.
  expect(await refusal(await answer(asked, good, up))).toEqual([404, 'mfa_factor_not_found'])
  expect(await refusal(await answer(await challenge(up), good, up))).toEqual(failed)
  const back = await challenge(up)
  device.counter = 0
  const copied = device.get(back.webauthn.credential_options.publicKey, { origin })
  expect(await refusal(await answer(back, copied, up))).toEqual(failed)
  server.advance(301)
  device.counter = 50
  const late = device.get(back.webauthn.credential_options.publicKey, { origin })
  expect(await refusal(await answer(back, late, up))).toEqual([422, 'mfa_challenge_expired'])
})

test('who has a second factor shows it before a key is added, and one of another user is not theirs', async () => {
  const { email } = await tools.protectedUser()
  const half = await tools.signedIn(email)
  const refused = await half.auth.mfa.enroll({ factorType: 'webauthn', friendlyName: 'B' })
  expect(refused.error?.code).toBe('insufficient_aal')
  const { ask } = await person()
  const stranger = await tools.signedUp()
  expect(await refusal(await ask(undefined, await tokenOf(stranger.client)))).toEqual([
    404,
    'mfa_factor_not_found',
  ])
})
