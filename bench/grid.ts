import type { Browser } from 'playwright-core'
import { openBrowser } from '../journeys/testing/chromium.ts'
import { compare, type Measured } from './parts/compare.ts'
import { buildGridPages } from './parts/grid-page.ts'
import { serveFolder } from './parts/serve-folder.ts'

/**
 * Main-thread time of one frame while the grid scrolls through rows of twenty columns, against a canvas that draws the
 * same cells by hand; and the grid over a million rows against the grid over a thousand.
 */
const frames = 240

const pages = await buildGridPages()
const ours = await serveFolder(pages.ours)
const bare = await serveFolder(pages.bare)
const browser = await openBrowser()
try {
  await compare('grid', {
    ours: () => scrolled(browser, `${ours.url}/?rows=100000`),
    baseline: () => scrolled(browser, bare.url),
  })
  await compare('grid 1M rows to 1k', {
    ours: () => scrolled(browser, `${ours.url}/?rows=1000000`),
    baseline: () => scrolled(browser, `${ours.url}/?rows=1000`),
  })
} finally {
  await browser.close()
  ours.close()
  bare.close()
}

/** Milliseconds of main-thread tasks per frame. */
async function scrolled(from: Browser, url: string): Promise<Measured> {
  const page = await from.newPage({ viewport: { width: 1440, height: 900 } })
  const devtools = await page.context().newCDPSession(page)
  await devtools.send('Performance.enable')
  await page.goto(url)
  await page.locator('canvas').first().waitFor()
  await page.waitForFunction('window.scrollOneFrame !== undefined')
  const taskSeconds = async () => {
    const { metrics } = await devtools.send('Performance.getMetrics')
    return metrics.find(({ name }) => name === 'TaskDuration')?.value ?? 0
  }
  await page.evaluate(scrollFor(20))
  const before = await taskSeconds()
  await page.evaluate(scrollFor(frames))
  const value = ((await taskSeconds()) - before) * (1000 / frames)
  await page.close()
  return { value, cpuMs: value }
}

/** Text, because nothing here knows the types of a browser. */
function scrollFor(count: number): string {
  return `new Promise((done) => {
    let left = ${count}
    const next = () => { if (left-- === 0) return done(); scrollOneFrame(); requestAnimationFrame(next) }
    requestAnimationFrame(next)
  })`
}
