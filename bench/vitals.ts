import type { Page } from 'playwright-core'
import { openBrowser } from '../journeys/testing/chromium.ts'
import { buildBasePage } from './parts/base-page.ts'
import { coldPage, openSignedIn, type State } from './parts/signed-in.ts'
import { serveFolder } from './parts/serve-folder.ts'

/**
 * What a person feels with a processor four times slower: until the largest part of a cold page stands (LCP, against the
 * bare page), how long the slowest press takes until something is painted (INP), and how far things jump (CLS).
 */
const [slowdown, rounds] = [4, 7]

/** Runs in the page, before it; text, because nothing here knows the types of a browser. */
const observe = `
window.seen = { lcp: 0, inp: 0, cls: 0 }
const watch = (options, see) =>
  new PerformanceObserver((list) => list.getEntries().forEach(see)).observe({ buffered: true, ...options })
watch({ type: 'largest-contentful-paint' }, (entry) => { seen.lcp = entry.startTime })
watch({ type: 'event', durationThreshold: 16 }, (entry) => { seen.inp = Math.max(seen.inp, entry.duration) })
watch({ type: 'layout-shift' }, (entry) => { if (!entry.hadRecentInput) seen.cls += entry.value })
`

const base = await serveFolder(await buildBasePage())
const browser = await openBrowser()
const place = await openSignedIn(browser)
const { platform, slug, project, state } = place
try {
  const pages = {
    organizations: '/organizations',
    organization: `/org/${slug}`,
    billing: `/org/${slug}/billing`,
    team: `/org/${slug}/team`,
    account: '/account/me',
    'project-home': `/project/${project.ref}`,
  }
  for (const [name, path] of Object.entries(pages)) {
    const [ratios, inps, shifts] = [[], [], []] as [number[], number[], number[]]
    for (let round = 0; round <= rounds; round++) {
      const ours = await visit(platform.url + path, state)
      const bare = await visit(base.url)
      if (round === 0) continue
      ratios.push(ours.lcp / bare.lcp)
      inps.push(ours.inp)
      shifts.push(ours.cls)
    }
    const line = { name: `vitals ${name}`, ratio: median(ratios), rounds }
    const more = { inpMs: median(inps), cls: Math.max(...shifts) }
    process.stdout.write(`${JSON.stringify({ ...line, ...more })}\n`)
  }
} finally {
  await browser.close()
  await place.close()
  base.close()
}

/** A cold visit: nothing cached, then some presses of Tab and a press of Escape as a person who looks around. */
async function visit(url: string, storageState?: State) {
  const { context, page } = await coldPage(browser, storageState)
  const devtools = await context.newCDPSession(page)
  await devtools.send('Emulation.setCPUThrottlingRate', { rate: slowdown })
  await page.addInitScript({ content: observe })
  await page.goto(url)
  // Nothing is asked of the page while it loads: that would be work of the measure in the measure.
  await page.waitForLoadState('networkidle')
  await page.locator('h1').first().waitFor()
  await page.waitForFunction('seen.lcp > 0')
  for (const key of ['Tab', 'Tab', 'Tab', 'Escape']) await page.keyboard.press(key)
  const seen = await measured(page)
  await context.close()
  return seen
}

function measured(page: Page): Promise<{ lcp: number; inp: number; cls: number }> {
  return page.evaluate('seen')
}

function median(values: number[]): number {
  const sorted = values.toSorted((a, b) => a - b)
  return Math.round((sorted[sorted.length >> 1] ?? 0) * 1000) / 1000
}
