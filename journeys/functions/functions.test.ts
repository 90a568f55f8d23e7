import type { Page } from 'playwright-core'
import { beforeAll, expect } from 'vitest'
import type { Eyes } from '../testing/browser.ts'
import { openWorkbench, type Workbench } from '../testing/workbench.ts'
import { story } from '../testing/story.ts'

/** A function from a template to its deletion, on its pages, called from outside between them. */
let bench: Workbench
let page: Page
let eyes: Eyes
beforeAll(async () => {
  bench = await openWorkbench({ name: 'Shop' })
  ;({ page, eyes } = bench)
})

const call = (body: string) =>
  fetch(`${bench.project.endpoint}/functions/v1/hello`, { method: 'POST', body })
const button = (name: string) => page.getByRole('button', { name, exact: true })
const tab = (name: string) =>
  page
    .getByRole('navigation', { name: 'Pages of the function' })
    .getByRole('link', { name, exact: true })
    .click()

/** Changes the theme there and back, and tells each time which colour of code a type has at once. */
async function coloursAfterThemeChange(): Promise<string[]> {
  const root = document.documentElement
  const was = root.dataset['theme'] ?? ''
  const type = [...document.querySelectorAll('.view-line span > span')].find(
    ({ textContent }) => textContent === 'EdgeRuntime',
  )
  if (!type) throw new Error('there is no type in the editor')
  const probe = document.createElement('span')
  document.body.append(probe)
  const seen: string[] = []
  for (const theme of [was === 'light' ? 'dark' : 'light', was]) {
    root.dataset['theme'] = theme
    await Promise.resolve()
    const names = ['keyword', 'string', 'number', 'function', 'comment'].filter((name) => {
      probe.style.color = `var(--code-${name})`
      return closeEnough(getComputedStyle(probe).color, getComputedStyle(type).color)
    })
    seen.push(names.join())
  }
  probe.remove()
  return seen

  function closeEnough(a: string, b: string): boolean {
    const pixel = (color: string) => {
      const context = new OffscreenCanvas(1, 1).getContext('2d')
      if (!context) throw new Error('nothing to paint on')
      context.fillStyle = color
      context.fillRect(0, 0, 1, 1)
      return [...context.getImageData(0, 0, 1, 1).data].join()
    }
    return pixel(a) === pixel(b)
  }
}

const step = story('an edge function, from its first version to its deletion')

step('a function is made from a template, and answers', async () => {
  await bench.go('functions')
  await page.getByText('No functions yet').waitFor()
  await page.getByRole('link', { name: 'New function' }).click()
  await button('Deploy function').click()
  await page.getByText('A function needs a name').waitFor()
  await page.getByLabel('Name').fill('hello')
  await page.getByText('Verify JWT').click()
  await page.locator('.monaco-editor').first().waitFor()
  await eyes.look('functions-00-new')
  await button('Deploy function').click()
  await button('Send request').click()
  await page.getByLabel('Response body').getByText('Hello Functions!').waitFor()
  await eyes.look('functions-01-code')
  const answer = await call('{"name":"Ada"}')
  expect([answer.status, await answer.json()]).toEqual([200, { message: 'Hello Ada!' }])
})

step('the editor knows what code means: Deno, other files, mistakes', async () => {
  const editor = page.getByRole('textbox', { name: 'Code of index.ts' })
  const wrong = page.locator('.squiggly-error')
  const offered = (name: string) =>
    page.locator(`.suggest-widget [role="option"][aria-label^="${name}"]`).first()
  async function write(text: string): Promise<void> {
    await editor.focus()
    await page.keyboard.press('ControlOrMeta+A')
    await page.keyboard.insertText(text)
  }
  await page.getByLabel('Files to import').setInputFiles({
    name: 'words.ts',
    mimeType: 'text/plain',
    buffer: Buffer.from("export const word = 'imported'"),
  })
  await page.getByRole('textbox', { name: 'Code of words.ts' }).waitFor()
  await page.getByRole('button', { name: 'index.ts', exact: true }).click()
  // Only one of these is a mistake, so whatever else is marked is one of ours.
  await write(`import { createClient } from 'npm:@supabase/supabase-js@2'
import { assert } from 'jsr:@std/assert'
import { createHash } from 'node:crypto'
import { word } from './words.ts'
assert(createClient, createHash)
EdgeRuntime.waitUntil(Promise.resolve())
const length: string = word.length
Deno.serve({ port: 1 }, async (request) => new Response(await request.text() + length))
`)
  const marked = () =>
    page.evaluate(() => {
      const y = (element: Element) => element.getBoundingClientRect().y
      const lines = [...document.querySelectorAll('.view-line')]
      const marks = [...document.querySelectorAll('.squiggly-error')]
      return marks.map((mark) => lines.find((line) => y(line) === y(mark))?.textContent)
    })
  const mistake = expect.stringContaining('word.length')
  await expect.poll(marked, { timeout: 60_000 }).toEqual([mistake])
  expect(await page.evaluate(coloursAfterThemeChange)).toEqual(['function', 'function'])
  await eyes.look('functions-08-mistake')
  await write('Deno.ser')
  await page.keyboard.press('ControlOrMeta+Space')
  await offered('serve').waitFor()
  await page.screenshot({ path: 'test-output/screenshots/functions-09-offered.png' })
  await page.keyboard.press('Escape')
  await write("import { word } from './words.ts'\nword.toUpp")
  await page.keyboard.press('ControlOrMeta+Space')
  await offered('toUpperCase').waitFor()
  await page.keyboard.press('Enter')
  await page.locator('.view-line').getByText('toUpperCase').waitFor()
  await write("import { nothing } from './words.ts'")
  await wrong.first().waitFor()
  await page.reload()
  await page.getByRole('textbox', { name: 'Code of index.ts' }).waitFor()
})

step('code that does not start is refused with its line, and never serves', async () => {
  const editor = page.getByRole('textbox', { name: 'Code of index.ts' })
  const write = async (text: string) => {
    await editor.focus()
    await page.keyboard.press('ControlOrMeta+A')
    await page.keyboard.insertText(text)
    await button('Deploy changes').click()
  }
  await write('// The next line does not end.\nDeno.serve(() => new Response(')
  await page.getByText(/^The function does not start\. index\.ts:2:\d+: SyntaxError/).waitFor()
  await eyes.look('functions-10-does-not-start')
  await write("throw new Error('no key')")
  await page.getByText('The function does not start. index.ts:1:7: Error: no key').waitFor()
  // The browser tells of each refusal.
  const told = eyes.errors.splice(0)
  expect(told).toHaveLength(2)
  expect(told.every((line) => line.includes('status of 400'))).toBe(true)
  await page.reload()
  await button('Discard').click()
  await page.locator('.view-line').getByText('Hello', { exact: false }).first().waitFor()
})

step('its code is changed and the change taken back', async () => {
  const editor = page.getByRole('textbox', { name: 'Code of index.ts' })
  await editor.focus()
  await page.keyboard.press('ControlOrMeta+A')
  await page.keyboard.insertText(
    `Deno.serve(() => { console.log('it ran'); return new Response('second') })`,
  )
  // Whoever goes away before it is deployed finds it again, here and after a reload.
  const left = page.getByText('Code that was not deployed')
  const toDetails = async () => {
    await tab('Details')
    // Going back before it is there would be no going away.
    await page.getByText('Verify JWT').waitFor()
  }
  for (const goAway of [toDetails, () => page.reload()]) {
    await goAway()
    await tab('Code')
    await left.waitFor()
    await page.locator('.view-line').getByText('Hello', { exact: false }).first().waitFor()
    await button('Restore').click()
    await page.locator('.view-line').getByText("'second'").waitFor()
    await left.waitFor({ state: 'detached' })
  }
  await page.getByLabel('Files to import').setInputFiles({
    name: 'words.ts',
    mimeType: 'text/plain',
    buffer: Buffer.from("export const word = 'imported'"),
  })
  await button('Rename words.ts').click()
  await page.getByRole('dialog').getByLabel('Path').fill('shared/words.ts')
  await button('Rename file').click()
  await page.getByRole('textbox', { name: 'Code of shared/words.ts' }).waitFor()
  await button('Deploy changes').click()
  await page.getByText('Version 2 is deployed').waitFor()
  await expect.poll(async () => (await call('{}')).text()).toBe('second')
  // One function's page is still a page of its project.
  await page.getByRole('banner').getByText('Shop').first().waitFor()
  await tab('Logs')
  await page.getByText('it ran').first().waitFor()
  await expect.poll(() => page.title()).toMatch(/^hello · Logs · Shop/)
  await eyes.look('functions-02-logs')
  await tab('Invocations')
  await page.getByRole('gridcell', { name: '/hello' }).first().waitFor()
  await tab('Deployments')
  await button('Show changes').click()
  await page.getByText('2 files differ').waitFor()
  await page.locator('.code-diff .view-line').getByText("'second'").waitFor()
  await eyes.look('functions-06-compare')
  await button('Close').click()
  const [saved] = await Promise.all([
    page.waitForEvent('download'),
    button('Download version 2').click(),
  ])
  expect(saved.suggestedFilename()).toBe('hello-2.zip')
  await button('Activate').click()
  await page.getByRole('dialog').getByRole('button', { name: 'Activate version' }).click()
  await page.getByText('Version 1 is active').waitFor()
  await eyes.look('functions-03-deployments')
  await expect.poll(async () => (await call('{"name":"Eve"}')).text()).toContain('Hello Eve!')
})

step('calls are counted on the overview', async () => {
  await tab('Overview')
  const figure = page.locator('.function-figures dd').first()
  await expect.poll(() => figure.innerText(), { timeout: 60_000 }).not.toBe('0')
  await button('1 h').click()
  await page.waitForURL(/range=1h/)
  await page.getByRole('img', { name: /^Invocations: at most [1-9]/ }).waitFor()
  await button('15 min').click()
  await page.getByText('Last 15 minutes').waitFor()
  await page.getByRole('img', { name: /^Invocations: at most [1-9]/ }).waitFor()
  await button('1 h').click()
  // The page brings what it looks like along, also when it is the first one.
  await page.reload()
  await page.getByRole('img', { name: /^CPU time: at most [1-9]/ }).waitFor()
  const figures = page.locator('.function-figures')
  expect(await figures.evaluate((list) => getComputedStyle(list).display)).toBe('grid')
  await page.getByRole('img', { name: /^Memory: at most [1-9]/ }).waitFor()
  await eyes.look('functions-07-overview')
  await page.getByRole('img', { name: /^Memory/ }).scrollIntoViewIfNeeded()
  await page.screenshot({ path: 'test-output/screenshots/functions-07-memory.png' })
  await page.setViewportSize({ width: 390, height: 844 })
  for (const name of ['Overview', 'Code', 'Deployments', 'Details']) {
    await tab(name)
    await page.waitForLoadState('networkidle')
    const wide = await page.evaluate(() => document.documentElement.scrollWidth)
    expect(wide, name).toBeLessThanOrEqual(390)
    await page.screenshot({ path: `test-output/screenshots/functions-390-${name}.png` })
  }
  await page.setViewportSize({ width: 1440, height: 900 })
})

step('secrets are added and deleted', async () => {
  await page.getByRole('link', { name: 'Secrets' }).click()
  await button('Add secrets').click()
  await page.getByLabel('Names and values').fill('nonsense')
  await button('Save secrets').click()
  await page.getByText('Line 1 is not NAME=value').waitFor()
  await page.getByLabel('Names and values').fill('MINE=1\nOTHER="two"')
  await button('Save secrets').click()
  await page.getByRole('cell', { name: 'OTHER', exact: true }).waitFor()
  const active = page.getByRole('navigation', { name: 'Edge functions' }).locator('.active')
  await expect.poll(() => active.allInnerTexts()).toEqual(['Secrets'])
  await eyes.look('functions-04-secrets')
  await button('Delete OTHER').click()
  await button('Delete secret').click()
  await page.getByText('Secret deleted').waitFor()
  await page.getByRole('cell', { name: 'OTHER', exact: true }).waitFor({ state: 'hidden' })
})

step('a deleted function answers 404 until it is restored', async () => {
  await bench.go('functions/hello/details')
  await button('Delete function').click()
  await page.getByLabel('Type hello to confirm').fill('hello')
  await page.getByRole('dialog').getByRole('button', { name: 'Delete function' }).click()
  await page.getByText('Deleted functions').waitFor()
  await expect.poll(async () => (await call('{}')).status).toBe(404)
  await eyes.look('functions-05-deleted')
  await button('Restore').click()
  await page.getByRole('link', { name: 'hello', exact: true }).waitFor()
  await expect.poll(async () => (await call('{}')).status).toBe(200)
  expect(eyes.errors).toEqual([])
})
