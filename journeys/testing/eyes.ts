import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { expect } from 'vitest'
import { root } from '#kit/root'
import { violationsOn } from './axe.ts'
import type { Watched } from './watched.ts'

export type Eyes = {
  /** What the browser's console said that a person should never see. */
  errors: string[]
  /** Lets axe look at the page in dark and in light, and photographs both. */
  look(name: string): Promise<void>
}

/**
 * Pictures are for people, who ask for them with PLINTH_PICTURES=1 and find them in test-output/screenshots: they take a
 * look a quarter of its time.
 */
const pictures = process.env['PLINTH_PICTURES'] === '1'
const folder = join(root, 'test-output/screenshots')

/** Until nothing on the page comes, goes or moves: what is half there has other colours. What never ends is not waited for. */
const rests = (page: Page) =>
  page.evaluate(async () => {
    const moving = () =>
      document
        .getAnimations()
        .filter(({ effect }) => Number.isFinite(effect?.getComputedTiming().endTime))
    // One that is taken away rejects, and has ended as well.
    while (moving().length > 0) await Promise.allSettled(moving().map(({ finished }) => finished))
  })

/** Until what is shown answers what was asked: what answers an earlier question is dimmed meanwhile. */
const answers = (page: Page) => page.waitForFunction(() => !document.querySelector('.is-stale'))

/** Looks at a page when asked. */
export function eyesOf({ page }: Watched): Eyes {
  const errors: string[] = []
  page.on('console', (message) => {
    if (message.type() === 'error') errors.push(`${page.url()}: ${message.text()}`)
  })
  page.on('pageerror', (error) => errors.push(`${page.url()}: ${error.message}`))
  mkdirSync(folder, { recursive: true })
  return {
    errors,
    async look(name) {
      await answers(page)
      await rests(page)
      const before = await page.evaluate(() => document.documentElement.dataset['theme'])
      for (const theme of ['dark', 'light']) {
        await page.evaluate((wanted) => {
          document.documentElement.classList.add('theme-flip')
          document.documentElement.dataset['theme'] = wanted
        }, theme)
        if (pictures) await page.screenshot({ path: join(folder, `${name}-${theme}.png`) })
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
