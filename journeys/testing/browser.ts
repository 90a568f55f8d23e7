import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { beforeEach, expect, onTestFailed } from 'vitest'
import { root } from '#kit/root'
import { violationsOn } from './axe.ts'

export { openBrowser } from './chromium.ts'

export type Eyes = {
  /** What the browser's console said that a person should never see. */
  errors: string[]
  /** Photographs the page in dark and light, and lets axe look at both. */
  look(name: string): Promise<void>
}

/** The pages this file watches: what they showed is told when a test fails. */
const watched = new Set<{ page: Page; errors: string[] }>()

beforeEach(() => {
  onTestFailed(async ({ task }) => {
    for (const { page, errors } of watched) await tellWhatIsSeen(page, errors, task.name)
  })
})

async function tellWhatIsSeen(page: Page, errors: string[], name: string): Promise<void> {
  if (page.isClosed()) return
  const folder = join(root, 'test-output/failed')
  mkdirSync(folder, { recursive: true })
  await page.screenshot({ path: join(folder, `${name.replace(/\W+/g, '-').slice(0, 80)}.png`) })
  const text = await page.locator('body').innerText()
  console.error([`"${name}" failed at ${page.url()}`, ...errors, text.slice(0, 3000)].join('\n'))
}

/** Who opts out before the first page: the question about data would lie over what a journey is about. */
const optedOut = JSON.stringify({ decisions: {}, of: 'browser' })

/**
 * Watches a page's console and looks at it when asked. Screenshots go to test-output/, not to git. `asksForConsent` leaves
 * the question about data for the journey to answer.
 */
export function watch(page: Page, { asksForConsent = false } = {}): Eyes {
  const errors: string[] = []
  if (!asksForConsent)
    // Sent before whatever the page is told next.
    void page.addInitScript((said) => {
      // Frames of other places may have no storage at all.
      const isPage = self === top && location.protocol === 'http:'
      if (isPage && !localStorage.getItem('plinth.consent'))
        localStorage.setItem('plinth.consent', said)
    }, optedOut)
  watched.add({ page, errors })
  page.on('close', () => watched.forEach((one) => one.page === page && watched.delete(one)))
  page.on('console', (message) => {
    if (message.type() === 'error') errors.push(`${page.url()}: ${message.text()}`)
  })
  page.on('pageerror', (error) => errors.push(`${page.url()}: ${error.message}`))
  const folder = join(root, 'test-output/screenshots')
  mkdirSync(folder, { recursive: true })
  return {
    errors,
    async look(name) {
      const before = await page.evaluate(() => document.documentElement.dataset['theme'])
      for (const theme of ['dark', 'light']) {
        await page.evaluate((wanted) => {
          document.documentElement.classList.add('theme-flip')
          document.documentElement.dataset['theme'] = wanted
        }, theme)
        await page.screenshot({ path: join(folder, `${name}-${theme}.png`) })
        // Another theme is another set of colours and nothing else.
        const found = await violationsOn(page, theme === 'light' ? ['color-contrast'] : undefined)
        expect(found, `${name} in ${theme}`).toEqual([])
      }
      await page.evaluate((theme) => {
        document.documentElement.dataset['theme'] = theme
        document.documentElement.classList.remove('theme-flip')
      }, before)
    },
  }
}
