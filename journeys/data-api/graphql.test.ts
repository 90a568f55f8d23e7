import type { Page } from 'playwright-core'
import { beforeAll, expect } from 'vitest'
import type { Eyes } from '../testing/browser.ts'
import { openWorkbench, type Workbench } from '../testing/workbench.ts'
import { story } from '../testing/story.ts'

let bench: Workbench
let page: Page
let eyes: Eyes

beforeAll(async () => {
  bench = await openWorkbench({
    name: 'Books',
    sql: `create table books (id int primary key, title text not null);
      comment on column books.title is 'As it stands on the cover';
      alter table books enable row level security;
      create policy "short ones" on books for select to anon using (id < 2);
      grant select on books to anon; grant all on books to service_role;
      insert into books values (1, 'Momo'), (2, 'Emil')`,
  })
  ;({ page, eyes } = bench)
})

const editor = () => page.getByRole('textbox', { name: /^GraphQL document/ })
const variables = () => page.getByRole('textbox', { name: /^Variables as JSON/ })
const answer = () => page.getByRole('region', { name: 'Answer' })
const run = () => page.getByRole('button', { name: /^Run(?! as)/ }).click()
const button = (name: string | RegExp) => page.getByRole('button', { name, exact: true })

/** Pastes a text over all that is there: what is typed is completed and closed on the way. */
async function write(into: () => ReturnType<Page['locator']>, text: string) {
  await into().focus()
  await page.keyboard.press('ControlOrMeta+A')
  await into().evaluate((element, pasted) => {
    const clipboardData = new DataTransfer()
    clipboardData.setData('text/plain', pasted)
    element.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true }))
  }, text)
}

const step = story('the GraphQL page: documents, variables, documentation')

step('a document runs with the secret key, says so, and as another role sees less', async () => {
  await bench.go('api/graphiql')
  await page.getByRole('note').getByText('Documents run with the secret key.').waitFor()
  await write(editor, 'query All { booksCollection { edges { node { id title } } } }')
  await page.keyboard.press('ControlOrMeta+Enter')
  await answer().getByText('"Emil"').waitFor()
  await eyes.look('97-graphiql')
  await button("Don't warn me again").click()
  await page.getByRole('button', { name: /^Run as/ }).click()
  await page.getByRole('button', { name: /^anon/ }).click()
  await run()
  await answer().getByText('"Emil"').waitFor({ state: 'detached' })
  await answer().getByText('"Momo"').waitFor()
})

step('variables, mistakes and the operation at the cursor', async () => {
  await write(variables, '{"id": ')
  await run()
  await answer().getByText('The variables have to be a JSON object').waitFor()
  await write(variables, '{"id": 1}')
  await write(
    editor,
    'query One($id: Int) { booksCollection(filter: {id: {eq: $id}}) { edges { node { title } } } }',
  )
  await run()
  await answer().getByText('"Momo"').waitFor()
  await write(editor, 'query Wrong { nothing }')
  await run()
  await answer().getByText('Errors', { exact: true }).waitFor()
  await answer()
    .getByText(/Cannot\squery\sfield/)
    .waitFor()
})

step('the documentation is walked through, and what ran is found again', async () => {
  await button('Show the documentation').click()
  const docs = page.getByRole('complementary', { name: 'Documentation' })
  await docs.getByRole('button', { name: 'Query', exact: true }).click()
  await docs.getByRole('button', { name: 'booksConnection' }).click()
  await docs.getByRole('button', { name: '[booksEdge!]!' }).click()
  await docs.getByRole('button', { name: 'books!' }).click()
  await docs.getByText('As it stands on the cover').waitFor()
  await docs.getByLabel('Find a type').fill('booksFilter')
  await docs.getByRole('button', { name: 'booksFilter', exact: true }).waitFor()
  await eyes.look('98-graphiql-docs')
  await button('History').click()
  await page.getByRole('menuitem', { name: 'One' }).click()
  await button('Prettify').click()
  await expect.poll(() => page.locator('.gq-write .view-line').count()).toBeGreaterThan(5)
})

step('what was written is there again, at the other address, and a phone shows it', async () => {
  await bench.go('database/graphiql')
  await page.locator('.gq-write').getByText('booksCollection').waitFor()
  await expect.poll(() => page.getByRole('note').count()).toBe(0)
  await page.setViewportSize({ width: 390, height: 844 })
  const run = await button(/^Run(?! as)/).boundingBox()
  expect((run?.x ?? 390) + (run?.width ?? 0)).toBeLessThanOrEqual(390)
  await eyes.look('99-graphiql-phone')
})
