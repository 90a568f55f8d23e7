import { join } from 'node:path'
import type { Locator, Page } from 'playwright-core'
import { build, preview, type PreviewServer } from 'vite'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { root } from '#kit/root'
import { violationsOn } from '../testing/axe.ts'
import { openPage } from '../testing/browser.ts'

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
})
afterAll(() => server?.close())

const address = () => `${server.resolvedUrls?.local[0] ?? ''}__ui`

/** Goes on, a little at a time, until so many are there: what draws a toast is loaded when it is wanted. */
const appear = (page: Page, toasts: Locator, count = 1) =>
  expect
    .poll(async () => {
      await page.clock.runFor(10)
      return toasts.count()
    })
    .toBe(count)

/** The gallery with a clock of its own, which stands still until it is told to go on. */
async function withClock() {
  const { context, page } = await openPage(
    { url: address() },
    { clipboard: true, reducedMotion: 'reduce' },
  )
  await page.goto(address())
  await page.getByRole('heading', { name: 'Plinth components' }).waitFor()
  await page.clock.install()
  await page.clock.pauseAt(Date.now() + 60_000)
  return { context, page }
}

test('a copy button says so for 2 seconds', async () => {
  const { context, page } = await withClock()
  await page.getByTitle('Copy project ref').first().click()
  const said = page.getByText('Copied', { exact: true })
  await said.waitFor()
  await expect
    .poll(() => page.evaluate(() => navigator.clipboard.readText()))
    .toBe('hvbnxqtrmzwklsydpcgf')
  await page.clock.runFor(1_900)
  await expect.poll(() => said.count()).toBe(1)
  await page.clock.runFor(200)
  await said.waitFor({ state: 'detached' })
  await context.close()
})

test('a tooltip comes after 700 ms, the next one at once', async () => {
  const { context, page } = await withClock()
  const tip = page.getByRole('tooltip')
  const tips = await page
    .locator('button[data-tip]')
    .evaluateAll((all) => [...new Set(all.map((one) => one.getAttribute('data-tip') ?? ''))])
  const [one, other] = tips.map((text) => page.locator(`button[data-tip="${text}"]`).first())
  if (!one || !other) throw new Error('The gallery has too few tooltips')
  await one.hover()
  await page.clock.runFor(650)
  await expect.poll(() => tip.count()).toBe(0)
  await page.clock.runFor(100)
  await tip.waitFor()
  await expect.poll(() => tip.textContent()).toContain(tips[0])
  // Within 300 ms, by the same events that the mouse makes.
  await other.dispatchEvent('pointerover', { bubbles: true, pointerType: 'mouse' })
  await expect.poll(() => tip.textContent()).toContain(tips[1])
  await page.keyboard.press('Escape')
  await tip.waitFor({ state: 'detached' })
  await context.close()
})

test('a tooltip hides while the page moves, and comes where the pointer still rests', async () => {
  const { context, page } = await withClock()
  const tip = page.getByRole('tooltip')
  await page.locator('button[data-tip]').first().hover()
  await page.clock.runFor(400)
  const move = () => page.evaluate(() => document.dispatchEvent(new Event('scroll')))
  await move()
  await page.clock.runFor(400)
  await expect.poll(() => tip.count()).toBe(0)
  await page.clock.runFor(400)
  await tip.waitFor()
  await move()
  await tip.waitFor({ state: 'detached' })
  await page.mouse.move(0, 0)
  await page.clock.runFor(2000)
  await expect.poll(() => tip.count()).toBe(0)
  await context.close()
})

test('a toast stays for 4 s, 32 px from the corner, 356 px wide; three are seen', async () => {
  const { context, page } = await withClock()
  const shown = page.locator('[data-sonner-toast][data-visible=true]')
  await page.getByRole('button', { name: 'Warning', exact: true }).click()
  await appear(page, shown)
  const box = await page.locator('[data-sonner-toaster]').boundingBox()
  expect(box).toMatchObject({ width: 356 })
  expect(Math.round(1440 - (box?.x ?? 0) - (box?.width ?? 0))).toBe(32)
  for (let more = 0; more < 4; more++)
    await page.getByRole('button', { name: 'Warning', exact: true }).click()
  await appear(page, shown, 3)
  await page.mouse.move(10, 10)
  await page.clock.runFor(3_500)
  await expect.poll(() => shown.count()).toBe(3)
  await page.clock.runFor(1_500)
  await expect.poll(() => page.locator('[data-sonner-toast]').count()).toBe(0)
  await context.close()
})

test('a toast leaves the buttons of an open panel free', async () => {
  const { context, page } = await withClock()
  await page.getByRole('button', { name: 'Warning', exact: true }).click()
  const toast = page.locator('[data-sonner-toast][data-visible=true]')
  await appear(page, toast)
  await page.getByRole('button', { name: 'Panel medium', exact: true }).click()
  const foot = page.getByRole('dialog', { name: 'New column' }).locator('footer')
  await foot.waitFor()
  await expect
    .poll(async () => {
      const [above, below] = [await toast.boundingBox(), await foot.boundingBox()]
      return (above?.y ?? 0) + (above?.height ?? 0) < (below?.y ?? 0)
    })
    .toBe(true)
  await context.close()
})

test('what lies under good news can be pressed, and a pointer that rests there does not keep it', async () => {
  const { context, page } = await withClock()
  const shown = page.locator('[data-sonner-toast][data-visible=true]')
  const under = async () => {
    const box = await shown.boundingBox()
    const at = { x: (box?.x ?? 0) + 100, y: (box?.y ?? 0) + 10 }
    await page.mouse.move(at.x, at.y)
    return page.evaluate(
      ({ x, y }) => document.elementFromPoint(x, y)?.closest('[data-sonner-toast]') !== null,
      at,
    )
  }
  const raise = (kind: string) => page.getByRole('button', { name: kind, exact: true }).click()
  await raise('Success')
  await appear(page, shown)
  expect(await under()).toBe(false)
  await page.clock.runFor(5_000)
  await expect.poll(() => shown.count()).toBe(0)
  // A warning is read: it waits while the pointer is on it.
  await raise('Warning')
  await appear(page, shown)
  expect(await under()).toBe(true)
  await page.clock.runFor(5_000)
  await expect.poll(() => shown.count()).toBe(1)
  await context.close()
})

test.each([
  ['dark', 1440],
  ['light', 1440],
  ['classic-dark', 1440],
  ['dark', 390],
] as const)('every component in %s at %i px', async (theme, width) => {
  const viewport = { width, height: 900 }
  const { context, page, eyes } = await openPage({ url: address() }, { viewport })
  await page.goto(address())
  await page.getByRole('heading', { name: 'Plinth components' }).waitFor()
  await page.evaluate((name) => {
    document.documentElement.classList.add('theme-flip')
    document.documentElement.dataset['theme'] = name
  }, theme)
  await page.screenshot({
    path: join(root, `test-output/ui-${theme}-${width}.png`),
    fullPage: true,
  })
  expect(await violationsOn(page)).toEqual([])
  expect(eyes.errors).toEqual([])
  await context.close()
})

test('what opens over the page gives the focus back to what opened it', async () => {
  const { context, page } = await openPage({ url: address() }, { reducedMotion: 'reduce' })
  await page.goto(address())
  const focused = (name: string) =>
    page
      .getByRole('button', { name, exact: true })
      .evaluate((button) => button === document.activeElement)
  for (const name of [
    'Dialog medium',
    'Dialog of two parts',
    'Panel medium',
    'Command menu',
    'Menu',
  ]) {
    await page.getByRole('button', { name, exact: true }).click()
    await page.locator('[role=dialog], [role=menu]').waitFor()
    await page.keyboard.press('Escape')
    await expect.poll(() => focused(name), { message: name }).toBe(true)
  }
  await context.close()
})
