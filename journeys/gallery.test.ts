import { join } from 'node:path'
import { AxeBuilder } from '@axe-core/playwright'
import type { Browser } from 'playwright-core'
import { build, preview, type PreviewServer } from 'vite'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { root } from '#kit/root'
import { openBrowser, watch } from './browser.ts'

let browser: Browser
let server: PreviewServer
const outDir = join(root, 'test-output/gallery')

/** The same dashboard with its gallery, which a release does not have. */
beforeAll(async () => {
  process.env['VITE_UI_GALLERY'] = '1'
  const configFile = join(root, 'vite.config.ts')
  await build({ configFile, root: join(root, 'dashboard'), logLevel: 'error', build: { outDir } })
  delete process.env['VITE_UI_GALLERY']
  server = await preview({
    configFile,
    root: join(root, 'dashboard'),
    build: { outDir },
    preview: { port: 0, host: '127.0.0.1' },
  })
  browser = await openBrowser()
})
afterAll(async () => {
  await browser.close()
  await server.close()
})

test.each([
  ['dark', 1440],
  ['light', 1440],
  ['classic-dark', 1440],
  ['dark', 390],
] as const)('every component in %s at %i px', async (theme, width) => {
  const context = await browser.newContext({ viewport: { width, height: 900 } })
  const page = await context.newPage()
  const eyes = watch(page)
  await page.goto(`${server.resolvedUrls?.local[0] ?? ''}__ui`)
  await page.getByRole('heading', { name: 'Plinth components' }).waitFor()
  await page.evaluate((name) => {
    document.documentElement.classList.add('theme-flip')
    document.documentElement.dataset['theme'] = name
  }, theme)
  await page.screenshot({
    path: join(root, `test-output/ui-${theme}-${width}.png`),
    fullPage: true,
  })
  const { violations } = await new AxeBuilder({ page }).analyze()
  const grave = violations.filter(({ impact }) => impact === 'serious' || impact === 'critical')
  expect(grave.map(({ id, nodes }) => `${id}: ${nodes.map((n) => n.html).join(' | ')}`)).toEqual([])
  expect(eyes.errors).toEqual([])
  await context.close()
})
