import { readFileSync } from 'node:fs'
import { runInNewContext } from 'node:vm'
import { afterEach, expect, test, vi } from 'vitest'
import { organizations } from '#contract/organizations/organizations'
import { profile } from '#contract/people/profile'
import { takeEarly, type Early } from './early.ts'

const script = readFileSync(new URL('../public/first.js', import.meta.url), 'utf8')
const token = 'a.token.of-mine'
const lasting = { access_token: token, expires_at: Date.now() / 1000 + 3600 }

/** Runs the script as a browser at this address would, and answers what it has asked for. */
function opened(
  path: string,
  session: unknown = lasting,
  answer = (to: string) => new Response(JSON.stringify({ of: to })),
  mode?: string,
) {
  const { pathname, hash } = new URL(path, 'http://plinth.test')
  const asked: { path: string; headers: Record<string, string> }[] = []
  const window: { plinthEarly?: Early } = {}
  runInNewContext(script, {
    window,
    location: { pathname, hash },
    localStorage: {
      getItem: (key: string) => (key === 'plinth.session' ? JSON.stringify(session) : null),
    },
    document: { documentElement: { dataset: { theme: 'dark', mode }, classList: new Set() } },
    matchMedia: () => ({ matches: false, addEventListener: () => undefined }),
    addEventListener: () => undefined,
    crypto: globalThis.crypto,
    Response,
    fetch: (to: string, { headers }: { headers: Record<string, string> }) => {
      asked.push({ path: to, headers })
      return Promise.resolve(answer(to))
    },
  })
  return { asked, window }
}
const pathsOf = (path: string, session?: unknown) =>
  opened(path, session).asked.map((one) => one.path)

const frame = [profile.get, organizations.list, profile.permissions].map((e) => e.path)
const everywhere = ['/platform/status', frame[0], frame[1], frame[2], '/platform/banners']

afterEach(() => vi.unstubAllGlobals())

test('what the frame reads is asked for on every page behind the sign-in', () => {
  for (const path of [
    '/organizations',
    '/organizations/',
    '/org/acme/audit',
    '/account/tokens',
    '/new',
  ])
    expect(pathsOf(path)).toEqual(everywhere)
  expect(pathsOf('/project/abcdefghijklmnopqrst/sql')).toEqual([
    ...everywhere,
    '/platform/projects/abcdefghijklmnopqrst',
  ])
  // No reference of a project: the page says so.
  expect(pathsOf('/project/default')).toEqual(everywhere)
})

test('permissions are asked for on the platform only', () => {
  const { asked } = opened('/organizations', lasting, undefined, 'self-hosted')
  const { permissions } = profile
  expect(everywhere).toContain(permissions.path)
  expect(asked.map(({ path }) => path)).toEqual(
    everywhere.filter((path) => path !== permissions.path),
  )
})

test('what a page waits for is asked for, too', () => {
  const own = (path: string) => pathsOf(path).slice(everywhere.length)
  const acme = '/platform/organizations/acme'
  expect(own('/org/acme')).toEqual([`${acme}/projects?limit=100&offset=0`])
  expect(own('/org/acme/')).toEqual(own('/org/acme'))
  expect(own('/org/acme/team')).toEqual([`${acme}/members`, `${acme}/roles`])
  expect(own('/org/acme/billing')).toContain(`${acme}/billing/subscription`)
  expect(own('/account/me')).toEqual(['/auth/v1/user', '/platform/profile/sole-ownerships'])
  // Self-hosted, where these pages lead elsewhere.
  expect(own('/org/default-org-slug/team')).toEqual([])
  // Words that every object knows are no pages.
  expect(own('/org/acme/constructor')).toEqual([])
})

test('an answer without a body stays one', async () => {
  vi.stubGlobal(
    'window',
    opened('/organizations', lasting, () => new Response(null, { status: 204 })).window,
  )
  vi.stubGlobal('performance', { now: () => 900 })
  const answer = await takeEarly('/platform/status', token)?.answer
  expect([answer?.status, await answer?.text()]).toEqual([204, ''])
})

test.each([
  ['another page', '/sign-in', lasting],
  ['a name that begins alike', '/organizations-of-mine', lasting],
  ['not signed in', '/organizations', null],
  [
    'a session that ends soon',
    '/organizations',
    { ...lasting, expires_at: Date.now() / 1000 + 60 },
  ],
  ['what is no session', '/organizations', 'x'],
  ['an address that brings a session', '/organizations#access_token=x', lasting],
])('nothing is asked for: %s', (_, path, session) => {
  expect(pathsOf(path, session)).toEqual([])
})

test('the requests carry what every request carries', () => {
  const { asked } = opened('/organizations')
  expect(asked[0]?.headers).toMatchObject({
    accept: 'application/json',
    version: '2',
    authorization: `Bearer ${token}`,
  })
  expect(new Set(asked.map(({ headers }) => headers['x-request-id'])).size).toBe(asked.length)
})

test('an answer is given once, to its own session, while it is new', async () => {
  vi.stubGlobal('window', opened('/organizations').window)
  vi.stubGlobal('performance', { now: () => 900 })
  const taken = takeEarly('/platform/profile', token)
  expect(await (await taken?.answer)?.json()).toEqual({ of: '/platform/profile' })
  expect(takeEarly('/platform/profile', token)).toBeUndefined()
  expect(takeEarly('/platform/organizations', 'another')).toBeUndefined()
  expect(takeEarly('/platform/organizations', token)).toBeUndefined()
  vi.stubGlobal('performance', { now: () => 15_000 })
  expect(takeEarly('/platform/status', token)).toBeUndefined()
})
