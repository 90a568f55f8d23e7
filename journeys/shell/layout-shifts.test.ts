import type { BrowserContext } from 'playwright-core'
import { beforeAll, expect, test } from 'vitest'
import { openContext } from '../testing/browser.ts'
import { shiftsOf, watchShifts } from '../testing/shifts.ts'
import { openWorkbench, type Workbench } from '../testing/workbench.ts'

let bench: Workbench

beforeAll(async () => {
  bench = await openWorkbench({
    name: 'Quiet',
    sql: `create table public.books (id bigint generated always as identity primary key, title text not null);
      insert into public.books (title) select 'Book ' || n from generate_series(1, 40) n;`,
  })
})

const pages: [name: string, path: (bench: Workbench) => string][] = [
  ['the home of a project', ({ ref }) => `/project/${ref}`],
  ['the settings of a project', ({ ref }) => `/project/${ref}/settings/general`],
  ['the infrastructure of a project', ({ ref }) => `/project/${ref}/settings/infrastructure`],
  ['the logs of a project', ({ ref }) => `/project/${ref}/logs/edge-logs`],
  ['the settings of an organization', ({ slug }) => `/org/${slug}/general`],
  ['the projects of an organization', ({ slug }) => `/org/${slug}`],
  ['the organizations', () => '/organizations'],
  ['the table editor', ({ ref }) => `/project/${ref}/editor`],
]

/** Opens a page from far away: what is asked for late comes late, for everybody to see. */
async function shiftsAt(path: string, width: number, height: number, change?: Change) {
  const context = await openContext(bench.platform, { as: bench.ada, viewport: { width, height } })
  await change?.(context)
  await watchShifts(context)
  const page = await context.newPage()
  const devtools = await context.newCDPSession(page)
  await devtools.send('Network.emulateNetworkConditions', {
    offline: false,
    latency: 100,
    downloadThroughput: -1,
    uploadThroughput: -1,
  })
  await page.goto(bench.platform.url + path)
  await page.locator('.app:not([aria-busy])').waitFor()
  const shifts = await shiftsOf(page)
  const banners = await page.locator('.banner').allInnerTexts()
  await context.close()
  return { shifts, banners }
}
type Change = (context: BrowserContext) => Promise<unknown>

for (const [width, height] of [
  [1440, 900],
  [390, 844],
] as const)
  for (const [name, path] of pages)
    test(`nothing jumps while ${name} is loaded, ${width} px wide`, async () => {
      expect((await shiftsAt(path(bench), width, height)).shifts).toEqual([])
    })

test('nothing jumps for a clock that is off and a database that is almost full', async () => {
  const { shifts, banners } = await shiftsAt(
    `/project/${bench.ref}`,
    1440,
    900,
    async (context) => {
      await context.route('**/api/get-utc-time', (route) =>
        route.fulfill({ json: { utcTime: new Date(Date.now() - 600_000).toISOString() } }),
      )
      await context.route('**/disk/usage*', async (route) => {
        const answer = await route.fetch()
        const usage: object = await answer.json()
        await route.fulfill({ json: { ...usage, limit_bytes: 500 * 1024 ** 2, state: 'near' } })
      })
    },
  )
  expect(banners.join(' ')).toMatch(/Database almost full.*clock appears to be inaccurate/s)
  expect(shifts).toEqual([])
})
