import type { Browser, BrowserContext } from 'playwright-core'
import {
  createOrganization,
  createProject,
  reaches,
  runSql,
  signUp,
} from '../../journeys/testing/client.ts'
import { startPlatform } from '../../journeys/testing/platform.ts'

export type State = Awaited<ReturnType<BrowserContext['storageState']>>

const [email, password] = ['vitals@example.com', 'Str0ng-enough!']

/** A platform with a person who has a project, and what their browser holds once they are signed in. */
export async function openSignedIn(browser: Browser, { sql }: { sql?: string } = {}) {
  const platform = await startPlatform({ environment: { PLINTH_RATE_LIMIT: '100000' } })
  try {
    const somebody = await signUp(platform.url, email, password)
    const slug = await createOrganization(somebody, 'Vitals')
    const project = await createProject(somebody, slug, 'Vitals')
    await reaches(somebody, project.ref, ['ACTIVE_HEALTHY'])
    if (sql) await runSql(somebody, project.ref, sql)
    const state = await signIn(browser, platform.url)
    return { platform, slug, project, state, close: () => platform.dispose() }
  } catch (error) {
    await platform.dispose()
    throw error
  }
}

async function signIn(browser: Browser, url: string): Promise<State> {
  const context = await browser.newContext()
  const page = await context.newPage()
  await page.goto(`${url}/sign-in`)
  await page.getByLabel('Email').fill(email)
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.getByRole('button', { name: 'Sign in' }).first().click()
  await page.getByRole('heading', { name: 'Organizations' }).waitFor()
  const state = await context.storageState()
  await context.close()
  return state
}

/** A page of a browser that has cached nothing. */
export async function coldPage(browser: Browser, storageState?: State) {
  const context = await browser.newContext({
    viewport: { width: 1440, height: 900 },
    ...(storageState ? { storageState } : {}),
  })
  // Somebody who has answered the question about data: it is asked once, and these are the loads of every day.
  await context.addInitScript(
    'localStorage.setItem("plinth.consent", JSON.stringify({ decisions: {}, of: "browser" }))',
  )
  return { context, page: await context.newPage() }
}
