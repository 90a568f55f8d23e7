import type { Browser, BrowserContext, Page } from 'playwright-core'
import { newTablesGranted } from '#kit/testing/new-tables'
import { openBrowser, watch, type Eyes } from './browser.ts'
import {
  createOrganization,
  createProject,
  reaches,
  runSql,
  signUp,
  type Person,
  type Project,
} from './client.ts'
import { startPlatform, type Platform } from './platform.ts'

export type Workbench = {
  /** A journey that starts it anew puts the new one here, so that it ends with the rest. */
  platform: Platform
  browser: Browser
  context: BrowserContext
  page: Page
  eyes: Eyes
  ada: Person
  project: Project
  ref: string
  /** Another page of the same browser session; the journey goes on with it. */
  newPage(): Promise<{ page: Page; eyes: Eyes }>
  /** Runs SQL in the project as its owner. */
  sql(query: string): Promise<unknown>
  /** Goes to an address below the project's. */
  go(below: string): Promise<unknown>
  close(): Promise<void>
}

type Options = {
  name: string
  /** Runs before anybody looks. */
  sql?: string
  /** For each step in the browser; the default leaves room for a machine that does other things besides. */
  timeoutMs?: number
  clipboard?: boolean
  environment?: Record<string, string>
  /** What a new project has is private; most journeys are about something else. */
  newTables?: 'private' | 'granted'
  /** Of the organization; some roles come with some plans only. */
  tier?: string
  /** Of the project. */
  size?: string
}

const email = 'ada@example.com'
const password = 'Str0ng-enough!'

/** A platform with one person, their project with some tables, and a browser in which they are signed in. */
export async function openWorkbench(options: Options): Promise<Workbench> {
  const {
    name,
    sql,
    timeoutMs = 30_000,
    clipboard,
    environment = {},
    newTables = 'granted',
    tier,
    size,
  } = options
  const platform = await startPlatform({ environment })
  let browser: Browser | undefined
  try {
    const ada = await signUp(platform.url, email, password)
    const slug = await createOrganization(ada, 'Acme', tier)
    const project = await createProject(ada, slug, name, size)
    const { ref } = project
    await reaches(ada, ref, ['ACTIVE_HEALTHY'])
    if (newTables === 'granted') await runSql(ada, ref, newTablesGranted)
    if (sql) await runSql(ada, ref, sql)
    browser = await openBrowser()
    const context = await browser.newContext({ viewport: { width: 1440, height: 900 } })
    if (clipboard) await context.grantPermissions(['clipboard-read', 'clipboard-write'])
    const newPage = async () => {
      const page = await context.newPage()
      page.setDefaultTimeout(timeoutMs)
      return { page, eyes: watch(page) }
    }
    const { page, eyes } = await newPage()
    await signIn(page, platform.url)
    const bench: Workbench = {
      platform,
      browser,
      context,
      page,
      eyes,
      ada,
      project,
      ref,
      async newPage() {
        const opened = await newPage()
        Object.assign(bench, opened)
        return opened
      },
      sql: (query) => runSql(ada, ref, query),
      go: (below) => bench.page.goto(`${platform.url}/project/${ref}/${below}`),
      async close() {
        await bench.browser.close()
        await bench.platform.dispose()
      },
    }
    return bench
  } catch (error) {
    // What was started ends also when the beginning fails.
    await browser?.close()
    await platform.dispose()
    throw error
  }
}

/** Signs somebody in by the form: without another address, the person of the workbench. */
export async function signIn(page: Page, url: string, as = email): Promise<void> {
  await page.goto(`${url}/sign-in`)
  await page.getByLabel('Email').fill(as)
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.getByRole('heading', { name: 'Organizations' }).waitFor()
}
