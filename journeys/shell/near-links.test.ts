import { beforeAll, expect, test } from 'vitest'
import { openWorkbench, type Workbench } from '../testing/workbench.ts'

declare global {
  interface Window {
    /** How far beyond the screen each observer of the page looks. */
    margins: (string | undefined)[]
  }
}

let bench: Workbench

beforeAll(async () => {
  bench = await openWorkbench({ name: 'Near', sql: 'create table notes (id int primary key)' })
  await bench.page.addInitScript(() => {
    window.margins = []
    const Real = window.IntersectionObserver
    window.IntersectionObserver = class extends Real {
      constructor(told: IntersectionObserverCallback, options?: IntersectionObserverInit) {
        super(told, options)
        window.margins.push(options?.rootMargin)
      }
    }
  })
})

/** Files that were fetched ahead, and are not part of the page itself. */
const fetched = () =>
  bench.page.evaluate(() =>
    [...document.querySelectorAll<HTMLLinkElement>('link[rel="prefetch"]')].map(
      ({ href, as }) => `${as} ${new URL(href).pathname}`,
    ),
  )

test('the parts of pages that links near the screen lead to are fetched ahead, each once', async () => {
  await bench.go('settings/general')
  await expect.poll(fetched).not.toEqual([])
  expect(await bench.page.evaluate(() => window.margins)).toContain('200px')
  const first = await fetched()
  expect(new Set(first).size).toBe(first.length)
  expect(first.every((one) => /^(?:script|style) \/assets\/.+\.(?:js|css)$/.test(one))).toBe(true)
  // Links that come later are seen, too.
  await bench.page
    .getByRole('link', { name: /^Database/ })
    .first()
    .click()
  await bench.page.getByRole('heading', { name: 'Database' }).first().waitFor()
  await expect.poll(async () => (await fetched()).length).toBeGreaterThan(first.length)
})
