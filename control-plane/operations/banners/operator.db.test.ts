import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { internalToken, startControlPlane } from '../../testing/control-plane.ts'
import type { Person, TestControlPlane } from '../../testing/control-plane.ts'
import { newcomer, organizationOf } from '../../testing/people.ts'

let plane: TestControlPlane
let ada: Person
let eve: Person

beforeAll(async () => {
  plane = await startControlPlane()
  ada = await newcomer(plane, 'ada')
  eve = await newcomer(plane, 'eve')
  await organizationOf(ada, 'Acme', 'tier_pro')
})
afterAll(() => plane.end())

type Method = 'GET' | 'POST' | 'PUT' | 'DELETE'

/** A call of nobody, or of the operator. */
async function send(method: Method, url: string, body?: object, token?: string) {
  const answer = await plane.app.inject({
    method,
    url,
    headers: token ? { authorization: `Bearer ${token}` } : {},
    ...(body ? { payload: body } : {}),
  })
  return { status: answer.statusCode, body: answer.json() as Record<string, unknown> }
}
const operator = (method: Method, url: string, body?: object) =>
  send(method, url, body, internalToken)

describe('remote flags', () => {
  const mine = async (one: Person, slug = '') =>
    (
      await one.call(
        'GET',
        `/platform/telemetry/feature-flags${slug && `?organization_slug=${slug}`}`,
      )
    ).body

  test('are set by the operator alone', async () => {
    expect((await ada.call('PUT', '/internal/flags/x', { on: true })).status).toBe(401)
    expect((await operator('PUT', '/internal/flags/Not%20a%20key', {})).status).toBe(400)
    expect((await operator('PUT', '/internal/flags/x', { percentage: 101 })).status).toBe(400)
    expect((await send('GET', '/platform/telemetry/feature-flags')).status).toBe(401)
    expect(await mine(ada)).toEqual({})
  })

  test('are on for everybody, a person, or the members of an organization', async () => {
    await operator('PUT', '/internal/flags/everybody', { on: true })
    await operator('PUT', '/internal/flags/ada', { people: [ada.userId] })
    await operator('PUT', '/internal/flags/acme', { organizations: ['acme'] })
    await operator('PUT', '/internal/flags/all', { percentage: 100 })
    expect(await mine(ada)).toEqual({ everybody: true, ada: true, acme: false, all: true })
    expect(await mine(ada, 'acme')).toMatchObject({ acme: true })
    // Naming somebody else's organization tells nothing about it.
    expect(await mine(eve, 'acme')).toEqual({ everybody: true, ada: false, acme: false, all: true })
  })

  test('are gone when they are removed', async () => {
    expect((await operator('DELETE', '/internal/flags/everybody')).body).toEqual({ removed: true })
    expect((await operator('DELETE', '/internal/flags/everybody')).body).toEqual({ removed: false })
    expect(Object.keys(await mine(ada))).not.toContain('everybody')
    expect((await operator('GET', '/internal/flags')).body).toMatchObject([
      { key: 'acme' },
      { key: 'ada' },
      { key: 'all' },
    ])
  })
})

describe('banners', () => {
  const current = async () => (await send('GET', '/platform/banners')).body
  const none = { incident: null, notice: null }

  test('are set by the operator alone, with a link that is one', async () => {
    expect(await current()).toEqual(none)
    expect((await ada.call('PUT', '/internal/banners/notice', { text: 'Hi' })).status).toBe(401)
    for (const [kind, body] of [
      ['party', {}],
      // oxlint-disable-next-line no-script-url -- what must be refused
      ['notice', { link: 'javascript:alert(1)' }],
      ['notice', { text: 'two\nlines' }],
      ['notice', { acknowledgement: 'plinth.session; path=/' }],
      ['notice', { ends_at: 'tomorrow' }],
    ] as const)
      expect((await operator('PUT', `/internal/banners/${kind}`, body)).status).toBe(400)
    expect(await current()).toEqual(none)
  })

  test("are everybody's until they end or are cleared", async () => {
    await operator('PUT', '/internal/banners/incident', { link: 'https://status.example.com' })
    await operator('PUT', '/internal/banners/notice', {
      text: 'The dashboard is away for a few minutes at 04:00 UTC.',
      ends_at: new Date(Date.now() + 60_000).toISOString(),
    })
    expect(await current()).toEqual({
      incident: {
        text: '',
        link: 'https://status.example.com',
        acknowledgement: 'plinth.notice.dashboard-outage-2025-05-16',
      },
      notice: {
        text: 'The dashboard is away for a few minutes at 04:00 UTC.',
        link: null,
        acknowledgement: 'plinth.notice.dashboard-outage-2025-05-16',
      },
    })
    await operator('PUT', '/internal/banners/notice', {
      text: 'Over',
      ends_at: '2020-01-01T00:00:00Z',
    })
    expect(await current()).toMatchObject({ notice: null })
    expect((await operator('DELETE', '/internal/banners/incident')).body).toEqual({ cleared: true })
    expect((await operator('DELETE', '/internal/banners/incident')).body).toEqual({
      cleared: false,
    })
    expect(await current()).toEqual(none)
  })
})
