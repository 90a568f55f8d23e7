import type { Browser, Page } from 'playwright-core'
import { openBrowser } from '../journeys/testing/chromium.ts'
import {
  createOrganization,
  createProject,
  reaches,
  runSql,
  signUp,
} from '../journeys/testing/client.ts'
import { startPlatform } from '../journeys/testing/platform.ts'

/**
 * Tasks of more than 50 ms on the main thread, at full size: while ten thousand tables are scrolled through in the side
 * list, five hundred are moved about in the diagram, the grid is scrolled, and SQL is typed. Each is done once to warm up.
 */
const [email, password] = ['bench@example.com', 'Str0ng-enough!']

/** Runs in the page; text, because nothing here knows the types of a browser. */
const observe = `
window.longTasks = []
new PerformanceObserver((list) => { for (const { duration } of list.getEntries()) longTasks.push(Math.round(duration)) })
  .observe({ type: 'longtask' })
`
const tables = 10_000
/** Parts, because a transaction can hold only so many locks. */
const manyTables = Array.from({ length: tables / 500 }, (_, part) => {
  const first = part * 500 + 1
  return `do $$ begin for i in ${first}..${first + 499} loop
    execute format('create table public.t%s (id int primary key, a text)', lpad(i::text, 5, '0'));
  end loop; end $$`
})
const diagramTables = `do $$ begin create schema big;
  for i in 1..500 loop
    execute format('create table big.t%s (id int primary key, a text, b text, c text, d text, e text, up int references big.t%s)', i, greatest(1, i / 3));
  end loop; end $$`
const manyRows = `create schema wide; create table wide.rows as
  select i as id, ${Array.from({ length: 20 }, (_, at) => `'value ' || i || ' of column ${at}' as c${at}`).join(', ')} from generate_series(1, 100000) i;
  alter table wide.rows add primary key (id)`

const platform = await startPlatform({ environment: { PLINTH_RATE_LIMIT: '100000' } })
const browser = await openBrowser()
try {
  const person = await signUp(platform.url, email, password)
  const { ref } = await createProject(person, await createOrganization(person, 'Bench'), 'Bench')
  await reaches(person, ref, ['ACTIVE_HEALTHY'])
  for (const sql of [...manyTables, diagramTables, manyRows]) await runSql(person, ref, sql)
  const page = await signedIn(browser)
  const at = `${platform.url}/project/${ref}`

  const list = page.getByRole('navigation', { name: 'Tables of public' })
  await opened(page, 'side list', `${at}/editor`, () => list.getByRole('link').first().waitFor())
  await list.hover()
  await watched(page, 'side list, wheel', () => wheel(page, 400, 600))

  const node = page.locator('.react-flow__node').first()
  await opened(page, 'diagram', `${at}/database/schemas?schema=big`, () => node.waitFor())
  const pane = page.locator('.react-flow__pane')
  await pane.hover({ position: { x: 20, y: 20 } })
  await watched(page, 'diagram, drag', () => drag(page, 60))
  await watched(page, 'diagram, zoom', async () => {
    for (const step of [-120, 120]) await wheel(page, 30, step)
  })
  await watched(page, 'diagram, zoom in and drag', async () => {
    await wheel(page, 12, -120)
    await drag(page, 60)
  })

  await page.goto(`${at}/editor?schema=wide`)
  await page.getByRole('link', { name: /^rows/ }).click()
  await page.locator('canvas').first().waitFor()
  await page.mouse.move(700, 500)
  await watched(page, 'grid, wheel', () => wheel(page, 240, 80))

  await page.goto(`${at}/sql/new`)
  const editor = page.locator('.monaco-editor textarea, .monaco-editor [role=textbox]').first()
  await editor.waitFor()
  await editor.focus()
  const text = 'select r.id, r.c1 from wide.rows as r where r.id > 10 order by r.id limit 5;\n'
  await watched(page, 'SQL editor, typing', () => page.keyboard.type(text.repeat(3), { delay: 15 }))
} finally {
  await browser.close()
  await platform.dispose()
}

async function signedIn(from: Browser): Promise<Page> {
  const page = await from.newPage({ viewport: { width: 1440, height: 900 } })
  page.setDefaultTimeout(60_000)
  await page.addInitScript(observe)
  await page.goto(`${platform.url}/sign-in`)
  await page.getByLabel('Email').fill(email)
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.getByRole('heading', { name: 'Organizations' }).waitFor()
  return page
}

function say(line: object): void {
  process.stdout.write(`${JSON.stringify(line)}\n`)
}

/** The second time, as its scripts are read from the cache then. */
async function opened(page: Page, name: string, url: string, until: () => Promise<void>) {
  for (const again of [false, true]) {
    await page.goto(`${platform.url}/organizations`)
    const since = performance.now()
    await page.goto(url)
    await until()
    if (again)
      say({
        name: `${name}, opened`,
        ms: Math.round(performance.now() - since),
        ...(await longTasks(page)),
      })
  }
}

async function longTasks(page: Page) {
  const found = await page.evaluate<number[]>('longTasks.splice(0)')
  return { longTasks: found.length, longestMs: Math.max(0, ...found) }
}

async function watched(page: Page, name: string, work: () => Promise<void>): Promise<void> {
  await work()
  await settled(page)
  await longTasks(page)
  await work()
  await settled(page)
  say({ name, ...(await longTasks(page)) })
}

/** Whatever was begun is drawn. */
function settled(page: Page): Promise<unknown> {
  return page.evaluate(
    'new Promise((done) => requestIdleCallback(() => done(undefined), { timeout: 5000 }))',
  )
}

async function wheel(page: Page, times: number, by: number): Promise<void> {
  for (let i = 0; i < times; i++) {
    await page.mouse.wheel(0, by)
    await frame(page)
  }
}

function frame(page: Page): Promise<unknown> {
  return page.evaluate('new Promise((done) => requestAnimationFrame(() => done(undefined)))')
}

async function drag(page: Page, steps: number): Promise<void> {
  await page.mouse.move(700, 500)
  await page.mouse.down()
  for (let i = 0; i < steps; i++) {
    await page.mouse.move(700 - i * 5, 500 - i * 3)
    await frame(page)
  }
  await page.mouse.up()
}
