import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startControlPlane } from '../../testing/control-plane.ts'
import type { Person, TestControlPlane } from '../../testing/control-plane.ts'
import { newcomer, organizationOf } from '../../testing/people.ts'
import { telemetryStore } from './store.ts'

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

type Method = 'GET' | 'POST' | 'PUT'

/** A call of nobody. */
async function send(method: Method, url: string, body?: object) {
  const answer = await plane.app.inject({ method, url, ...(body ? { payload: body } : {}) })
  return { status: answer.statusCode, body: answer.json() as Record<string, unknown> }
}

const session = randomUUID()
const page = {
  page_url: 'http://localhost:8000/org/acme',
  page_title: 'Projects · Acme · Plinth',
  pathname: '/org/acme',
  ph: {
    referrer: 'http://localhost:8000/join?token=secret#also',
    language: 'en',
    search: '?token=secret&error',
    session_id: session,
  },
  groups: { project: 'Unknown', organization: 'acme' },
}
const events = () =>
  plane.db.selectFrom('platform.telemetry_events').selectAll().orderBy('id').execute()

describe('events', () => {
  test.each([
    ['no action', { ...page }],
    ['an action that is a sentence', { ...page, action: 'Dropped table users' }],
    [
      'a text long enough to be content',
      { ...page, action: 'x', custom_properties: { a: 'x'.repeat(201) } },
    ],
    ['a property that is a thing', { ...page, action: 'x', custom_properties: { a: { b: 1 } } }],
    [
      'too many properties',
      {
        ...page,
        action: 'x',
        custom_properties: Object.fromEntries(Array.from({ length: 21 }, (_, n) => [`p${n}`, n])),
      },
    ],
    ['a made-up session', { ...page, action: 'x', ph: { ...page.ph, session_id: 'me' } }],
  ])('with %s are refused', async (_, body) => {
    expect((await send('POST', '/platform/telemetry/event', body)).status).toBe(400)
    expect(await events()).toEqual([])
  })

  test('are stored without what a query or a title may give away', async () => {
    const body = { ...page, action: 'sign_in', custom_properties: { provider: 'email', tries: 2 } }
    expect((await send('POST', '/platform/telemetry/event', body)).body).toEqual({ stored: true })
    for (const path of ['page', 'page-leave'])
      expect(
        (await send('POST', `/platform/telemetry/${path}`, { ...page, feature_flags: { a: true } }))
          .status,
      ).toBe(200)
    const rows = await events()
    expect(rows).toMatchObject([
      {
        kind: 'event',
        action: 'sign_in',
        user_id: null,
        session_id: session,
        pathname: '/org/acme',
        organization: 'acme',
        project: 'Unknown',
        properties: { provider: 'email', tries: 2 },
        context: { referrer: 'http://localhost:8000/join', search: 'token&error' },
      },
      { kind: 'page', properties: { a: true } },
      { kind: 'page_leave' },
    ])
    expect(JSON.stringify(rows)).not.toMatch(/secret|Projects · Acme/)
  })

  test('name a person only when it is the caller, and only with their consent', async () => {
    const of = (userId: string) => ({ user_id: userId, session_id: session })
    const identify = '/platform/telemetry/identify'
    expect((await send('POST', identify, of(ada.userId))).status).toBe(401)
    expect((await eve.call('POST', identify, of(ada.userId))).status).toBe(403)
    expect((await ada.call('POST', identify, of(ada.userId))).body).toEqual({ stored: false })
    await ada.call('PUT', '/platform/profile/consent', {
      decisions: [{ id: 'product-use', status: true }],
    })
    expect((await ada.call('POST', identify, of(ada.userId))).body).toEqual({ stored: true })
    expect((await events()).filter((row) => row.user_id !== null)).toMatchObject([
      { kind: 'identify', user_id: ada.userId },
    ])
  })

  test('are limited in how many one address may send', async () => {
    const body = { session_id: randomUUID() }
    const answers = await Promise.all(
      Array.from({ length: 130 }, () => send('POST', '/platform/telemetry/reset', body)),
    )
    const refused = answers.filter(({ status }) => status === 429)
    expect(refused).toHaveLength(10)
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(120)
  })

  test('are kept for a bounded time and number', async () => {
    const store = telemetryStore(plane.db)
    await store.prune({ rows: 3, days: 90 }, new Date())
    const kept = await events()
    expect(kept).toHaveLength(3)
    expect(kept.every((row) => row.kind === 'reset')).toBe(true)
    await store.prune({ rows: 3, days: 90 }, new Date(Date.now() + 91 * 86_400_000))
    expect(await events()).toEqual([])
  })
})

describe('error reports', () => {
  const report = { report_id: randomUUID(), message: 'Boom', stack: 'at x', pathname: '/org/acme' }
  const reports = () => plane.db.selectFrom('platform.error_reports').selectAll().execute()

  test('without an id, or too long, are refused', async () => {
    for (const wrong of [
      { report_id: 'x' },
      { message: 'x'.repeat(1001) },
      { stack: 'x'.repeat(8001) },
    ])
      expect(
        (await send('POST', '/platform/telemetry/error-report', { ...report, ...wrong })).status,
      ).toBe(400)
    expect(await reports()).toEqual([])
  })

  test('are stored once under the id that the person saw', async () => {
    const answer = await send('POST', '/platform/telemetry/error-report', report)
    expect(answer.body).toEqual({ stored: true })
    const again = await send('POST', '/platform/telemetry/error-report', {
      ...report,
      message: 'X',
    })
    expect(again.body).toEqual({ stored: false })
    expect(await reports()).toMatchObject([{ id: report.report_id, message: 'Boom' }])
    await telemetryStore(plane.db).pruneReports({ rows: 0, days: 90 }, new Date())
    expect(await reports()).toEqual([])
  })
})

describe('consent', () => {
  const address = '/platform/profile/consent'

  test('is essential only, until somebody says more', async () => {
    const { body } = await send('GET', '/platform/consent/categories')
    expect(body).toMatchObject({
      categories: [
        {
          slug: 'essential',
          isEssential: true,
          services: [{ consent: { status: true } }, { consent: { status: true } }],
        },
        {
          slug: 'product-use',
          isEssential: false,
          services: [{ id: 'product-use', consent: { status: false } }],
        },
        { slug: 'error-reports', isEssential: false, services: [{ consent: { status: false } }] },
      ],
    })
    expect((await eve.call('GET', address)).body).toMatchObject({ decided_at: null })
  })

  test('cannot be given for nothing known, nor taken from what is essential', async () => {
    expect((await send('PUT', address, { decisions: [] })).status).toBe(401)
    for (const decision of [
      { id: 'selling', status: true },
      { id: 'session', status: false },
    ])
      expect((await eve.call('PUT', address, { decisions: [decision] })).status).toBe(400)
    expect((await eve.call('GET', address)).body).toMatchObject({ decided_at: null })
  })

  test('is kept for the person, and what is not named is denied', async () => {
    await eve.call('PUT', address, { decisions: [{ id: 'product-use', status: true }] })
    await eve.call('PUT', address, { decisions: [{ id: 'error-reports', status: true }] })
    const { body } = await eve.call('GET', address)
    expect(body).toMatchObject({ decided_at: expect.any(String) })
    const granted = await plane.db
      .selectFrom('platform.consents')
      .select('granted')
      .where('user_id', '=', eve.userId)
      .execute()
    expect(granted).toEqual([{ granted: ['error-reports'] }])
    const entries = await plane.db
      .selectFrom('platform.audit_entries')
      .select(['change'])
      .where('action', '=', 'consent.decide')
      .where('actor_id', '=', eve.userId)
      .orderBy('id')
      .execute()
    expect(entries).toEqual([
      { change: { granted: ['product-use'] } },
      { change: { granted: ['error-reports'] } },
    ])
  })
})
