import type { BrowserContext, Page } from 'playwright-core'
import { expect } from 'vitest'

/** Something that the browser saw jump without anybody having pressed a key: how much, and what of the page. */
export type Shift = { value: number; moved: string[] }

/** Runs in the page, before it; text, because nothing here knows the types of a browser. */
const observe = `
window.shifts = []
const nameOf = (node) => {
  if (!node) return 'something that is gone'
  const element = node.nodeType === 1 ? node : node.parentElement
  const name = element.className && typeof element.className === 'string' ? '.' + element.className.trim().replaceAll(/\\s+/g, '.') : ''
  return element.tagName.toLowerCase() + name + ' "' + (node.textContent ?? '').trim().slice(0, 40) + '"'
}
const at = ({ x, y, width, height }) => [x, y, width, height].map(Math.round).join(' ')
new PerformanceObserver((list) => {
  for (const entry of list.getEntries())
    if (!entry.hadRecentInput)
      shifts.push({
        value: entry.value,
        moved: entry.sources.map((s) => nameOf(s.node) + ' from ' + at(s.previousRect) + ' to ' + at(s.currentRect)),
      })
}).observe({ type: 'layout-shift', buffered: true })
`

/** Watches all pages that are opened in it from now on. */
export const watchShifts = (context: BrowserContext): Promise<unknown> =>
  context.addInitScript({ content: observe })

/** What jumped on the page until all of it stood, without what the browser itself rounds away. */
export async function shiftsOf(page: Page): Promise<Shift[]> {
  await page.waitForLoadState('networkidle')
  await expect.poll(() => page.locator('[aria-busy=true], .skel').count()).toBe(0)
  await page.evaluate('document.fonts.ready')
  // Two frames: entries are given out after the one that they are about.
  await page.evaluate(
    'new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(done))))',
  )
  return (await page.evaluate<Shift[]>('shifts')).filter(({ value }) => value >= 0.0005)
}
