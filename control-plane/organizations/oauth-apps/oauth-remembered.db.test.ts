import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  startControlPlane,
  type Person,
  type TestControlPlane,
} from '../../testing/control-plane.ts'
import { newcomer, organizationOf } from '../../testing/people.ts'
import { client, newVerifier, publish, type App } from '../../testing/oauth-apps.ts'

let plane: TestControlPlane
let ada: Person
let bob: Person
let app: App

beforeAll(async () => {
  plane = await startControlPlane()
  ada = await newcomer(plane, 'ada')
  bob = await newcomer(plane, 'bob')
  await organizationOf(ada, 'Acme', 'tier_pro')
  await organizationOf(ada, 'Beta', 'tier_pro')
  await organizationOf(bob, 'Publisher', 'tier_pro')
  app = await publish(bob, 'publisher')
})
afterAll(() => plane.end())

/** What the consent page of a new request is told. */
async function agreed(by: Person, of: App = app, flow: { scope?: string } = {}) {
  const verifier = newVerifier()
  const id = await client(plane, of).authId({ ...flow, verifier })
  const { body } = await by.call('GET', `/platform/oauth/authorizations/${id}`)
  return body['agreed']
}
const approve = (of: App, slug: string, scope?: string) =>
  client(plane, of).approved(ada, slug, { verifier: newVerifier(), ...(scope ? { scope } : {}) })

test('who has not agreed is asked; who has is remembered, for these scopes and for themself', async () => {
  expect(await agreed(ada)).toBeNull()
  await approve(app, 'acme')
  expect(await agreed(ada)).toBe('acme')
  expect(await agreed(ada, app, { scope: 'organizations:read projects:read' })).toBe('acme')
  // A yes to fewer scopes would end what the app may do with its present tokens.
  expect(await agreed(ada, app, { scope: 'projects:read' })).toBeNull()
  expect(await agreed(bob)).toBeNull()
})

test('more scopes than were agreed to are asked for', async () => {
  const wide = await publish(bob, 'publisher', { name: 'Wide' })
  await approve(wide, 'acme', 'projects:read')
  expect(await agreed(ada, wide, { scope: 'projects:read' })).toBe('acme')
  expect(await agreed(ada, wide)).toBeNull()
})

test('of two organizations the person says which', async () => {
  const both = await publish(bob, 'publisher', { name: 'Both' })
  await approve(both, 'acme')
  await approve(both, 'beta')
  expect(await agreed(ada, both)).toBeNull()
})

test('revoking asks again, whoever does it', async () => {
  const own = await publish(bob, 'publisher', { name: 'Own' })
  await approve(own, 'acme')
  const path = '/platform/profile/oauth-apps'
  const list = (await ada.call('GET', path)).body as unknown as {
    id: string
    app: { name: string }
  }[]
  const grant = list.find((one) => one.app.name === 'Own')
  expect((await ada.call('DELETE', `${path}/${grant?.id}`)).status).toBe(200)
  expect(await agreed(ada, own)).toBeNull()
  await approve(own, 'acme')
  expect(await agreed(ada, own)).toBe('acme')
  const revoked = await ada.call('POST', `/platform/organizations/acme/oauth/apps/${own.id}/revoke`)
  expect(revoked.status).toBe(200)
  expect(await agreed(ada, own)).toBeNull()
})

test('an app that anybody could pretend to be is always asked about', async () => {
  const native = await publish(bob, 'publisher', {
    name: 'Native',
    public: true,
    redirect_uris: ['com.example.ledger://callback'],
  })
  await approve(native, 'acme')
  expect(await agreed(ada, native)).toBeNull()
  const web = await publish(bob, 'publisher', { name: 'Web', public: true })
  await approve(web, 'acme')
  expect(await agreed(ada, web)).toBe('acme')
})

test('prompt=consent asks all the same', async () => {
  const { start, query } = client(plane, app)
  const asking = await start({ ...query({ verifier: newVerifier() }), prompt: 'login consent' })
  expect(new URL(asking.location).searchParams.get('prompt')).toBe('consent')
  const usual = await start({ ...query({ verifier: newVerifier() }), prompt: 'none' })
  expect(new URL(usual.location).searchParams.has('prompt')).toBe(false)
})
