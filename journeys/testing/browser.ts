import type { Browser, BrowserContext, BrowserContextOptions, Page } from 'playwright-core'
import { openBrowser } from './chromium.ts'
import type { Account } from './client.ts'
import { atEnd } from './ends.ts'
import { eyesOf, type Eyes } from './eyes.ts'
import type { Place } from './platform.ts'
import { trace } from './traces.ts'
import { watchPage } from './watched.ts'

export type { Eyes } from './eyes.ts'

/** One for all journeys of a worker: what keeps them apart is the context that each opens. */
let launched: Promise<Browser> | undefined

async function sharedBrowser(): Promise<Browser> {
  const open = await (launched ??= openBrowser())
  if (open.isConnected()) return open
  return (launched = openBrowser())
}

type Options = BrowserContextOptions & {
  /** Who is signed in from the first page on. */
  as?: Account
  /** Leaves the question about data for the journey to answer. */
  asksForConsent?: boolean
  clipboard?: boolean
}

/** What the dashboard keeps in the browser (`dashboard/session/identity/auth-service.ts`, `dashboard/features/people/consent`). */
function kept(platform: Pick<Place, 'url'>, as: Account | undefined, asksForConsent: boolean) {
  const items = {
    ...(as ? { 'plinth.session': JSON.stringify(as.session) } : {}),
    // Who opts out before the first page: the question would lie over what a journey is about.
    ...(asksForConsent
      ? {}
      : { 'plinth.consent': JSON.stringify({ decisions: {}, of: 'browser' }) }),
  }
  const localStorage = Object.entries(items).map(([name, value]) => ({ name, value }))
  return { cookies: [], origins: [{ origin: new URL(platform.url).origin, localStorage }] }
}

/** The browser of one person: its own cookies and storage, empty but for what `options` says. Ends with the journey. */
export async function openContext(
  platform: Pick<Place, 'url'>,
  options: Options = {},
): Promise<BrowserContext> {
  const { as, asksForConsent = false, clipboard, ...more } = options
  const browser = await sharedBrowser()
  const context = await browser.newContext({
    viewport: { width: 1440, height: 900 },
    storageState: kept(platform, as, asksForConsent),
    ...more,
  })
  atEnd(() => context.close())
  if (clipboard) await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  await trace(context)
  return context
}

export type Opened = { page: Page; eyes: Eyes }

/** A page that is watched: what it showed and said is kept when a test fails. */
export async function pageIn(context: BrowserContext): Promise<Opened> {
  const page = await context.newPage()
  // It ends what never comes. A machine with much else to do is several times as slow.
  page.setDefaultTimeout(60_000)
  return { page, eyes: eyesOf(watchPage(page)) }
}

/** A browser of its own with one page. */
export async function openPage(
  platform: Pick<Place, 'url'>,
  options: Options = {},
): Promise<Opened & { context: BrowserContext }> {
  const context = await openContext(platform, options)
  return { context, ...(await pageIn(context)) }
}
