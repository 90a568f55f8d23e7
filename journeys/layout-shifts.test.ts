import { beforeAll, expect, test } from 'vitest'
import { openContext } from './testing/browser.ts'
import { shiftsOf, watchShifts } from './testing/shifts.ts'
import { openWorkbench, type Workbench } from './testing/workbench.ts'

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
  ['the settings of an organization', ({ slug }) => `/org/${slug}/general`],
  ['the projects of an organization', ({ slug }) => `/org/${slug}`],
  ['the organizations', () => '/organizations'],
  ['the table editor', ({ ref }) => `/project/${ref}/editor`],
]

/** Far away: what is asked for late comes late, for everybody to see. */
for (const [width, height] of [
  [1440, 900],
  [390, 844],
] as const)
  for (const [name, path] of pages)
    test(`nothing jumps while ${name} is loaded, ${width} px wide`, async () => {
      const context = await openContext(bench.platform, {
        as: bench.ada,
        viewport: { width, height },
      })
      await watchShifts(context)
      const page = await context.newPage()
      const devtools = await context.newCDPSession(page)
      await devtools.send('Network.emulateNetworkConditions', {
        offline: false,
        latency: 100,
        downloadThroughput: -1,
        uploadThroughput: -1,
      })
      await page.goto(bench.platform.url + path(bench))
      await page.locator('.app:not([aria-busy])').waitFor()
      expect(await shiftsOf(page)).toEqual([])
      await context.close()
    })
