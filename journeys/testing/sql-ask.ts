import type { Page } from 'playwright-core'
import { expect } from 'vitest'
import type { ModelServerInTests } from '#control-plane/testing/model-server'
import { answer, block } from './assistant-world.ts'
import type { Workbench } from './workbench.ts'
import type { Step } from './story.ts'

type Editor = {
  bench: Workbench
  model: ModelServerInTests
  /** A new query. */
  open(): Promise<void>
  /** Puts a text in the place of the one there. */
  write(text: string): Promise<void>
  leaveEditor(): Promise<void>
  editor(): ReturnType<Page['locator']>
}

/** What the editor holds; its spaces are not the usual ones. */
const textOf = (page: Page) => async () =>
  (await page.locator('.sql-text .view-lines').first().innerText()).replaceAll('\u00a0', ' ')

/** What the assistant does for a query's text and name: registered by the journey that opens the editor. */
export function askSteps(step: Step, opened: () => Editor): void {
  step('the assistant changes a text, which is shown before anything is changed', async () => {
    const { bench, model, open, write, leaveEditor, editor } = opened()
    const { page, eyes } = bench
    const text = textOf(page)
    const panel = page.getByRole('region', { name: 'Ask for a change' })
    const wish = panel.getByRole('textbox', { name: /^What to/ })
    await open()
    await write('select title from books;\nselect id from books')
    await leaveEditor()
    await editor().focus()
    await page.keyboard.press('ControlOrMeta+Home')
    await page.keyboard.press('Shift+End')
    await page.keyboard.press('ControlOrMeta+k')
    await panel.getByLabel('What to change in the selection').waitFor()
    model.answerWith(() =>
      answer('Longest first.', block('select title from books order by pages desc;')),
    )
    await wish.fill('longest first')
    await wish.press('Enter')
    await panel.getByText('Longest first.').waitFor()
    await panel.getByText('order by').waitFor()
    const [, asked] = model.asked.at(-1)?.body.messages ?? []
    expect(String(asked?.content)).toContain('select title from books;')
    expect(String(asked?.content)).not.toContain('select id from books')
    await eyes.look('5b-sql-ask')
    await panel.getByRole('button', { name: 'Reject' }).click()
    expect(await text()).toBe('select title from books;\nselect id from books')
    await wish.press('Enter')
    await panel.getByRole('button', { name: 'Accept' }).click()
    await panel.waitFor({ state: 'detached' })
    expect(await text()).toBe('select title from books order by pages desc;\nselect id from books')
    await page.keyboard.press('ControlOrMeta+z')
    await expect.poll(text).toBe('select title from books;\nselect id from books')

    // A text that changed meanwhile is not overwritten, and an answer without SQL changes nothing.
    await page.getByRole('button', { name: 'Ask for a change' }).click()
    await wish.fill('again')
    await wish.press('Enter')
    await panel.getByRole('button', { name: 'Accept' }).waitFor()
    await editor().focus()
    await page.keyboard.press('ControlOrMeta+End')
    await page.keyboard.insertText(' limit 1')
    await panel.getByRole('button', { name: 'Accept' }).click()
    await page.getByText('The text has changed since you asked. Ask again').waitFor()
    model.answerWith(() => answer('I cannot do that.'))
    await panel.getByRole('button', { name: 'Ask again' }).click()
    await panel.getByRole('alert').getByText('I cannot do that.').waitFor()
    await wish.press('Escape')
    await panel.waitFor({ state: 'detached' })
    expect(await text()).toBe('select title from books;\nselect id from books limit 1')
  })

  step('the assistant suggests a name for a query', async () => {
    const { bench, model, open, write } = opened()
    const { page } = bench
    model.answerWith(() => answer('"Titles by length."'))
    await open()
    await write('select title from books order by length(title)')
    await page.keyboard.press('ControlOrMeta+s')
    await page.getByText('Saved', { exact: true }).waitFor()
    await page
      .getByRole('listitem')
      .filter({ has: page.locator('a[aria-current=page]') })
      .getByRole('button', { name: /^Actions for/ })
      .click()
    await page.getByRole('menuitem', { name: 'Rename' }).click()
    const dialog = page.getByRole('dialog', { name: 'Rename query' })
    await dialog.getByRole('button', { name: 'Suggest a name' }).click()
    await expect.poll(() => dialog.getByLabel('Name').inputValue()).toBe('Titles by length')
    expect(JSON.stringify(model.asked.at(-1)?.body.messages)).toContain('order by length(title)')
    await dialog.getByRole('button', { name: 'Rename', exact: true }).click()
    await dialog.waitFor({ state: 'detached' })
    model.answerWith(() => answer('There is no column of this name: write title.'))
  })

  step(
    'rows are filtered by a wish in words, once the organization shows the model its tables',
    async () => {
      const { bench, model } = opened()
      const { page, eyes, ada } = bench
      const said = 'There is no column of this name: write title.'
      model.answerWith(() =>
        answer(
          '[{"column":"pages","operator":">=","value":"390"},{"column":"id","operator":"<","value":"200"}]',
        ),
      )
      await bench.go('editor')
      await page.getByRole('link', { name: /^books/ }).click()
      await page.locator('canvas').first().waitFor()
      await page.getByRole('button', { name: 'Filter in words' }).click()
      const box = page.getByRole('dialog', { name: 'Filter in words' })
      await box.getByText(/shows the assistant no tables/).waitFor()
      await box.getByLabel('Which rows?').fill('the long ones that came early')
      await box.getByLabel('Which rows?').press('Enter')
      expect(JSON.stringify(model.asked)).not.toContain('came early')

      const opted = await ada.call('PATCH', '/platform/organizations/acme', {
        opt_in_tags: ['AI_SQL_GENERATOR_OPT_IN'],
      })
      expect(opted.status).toBe(200)
      await page.reload()
      await page.locator('canvas').first().waitFor()
      await page.getByRole('button', { name: 'Filter in words' }).click()
      await box.getByText(/can be changed like any others/).waitFor()
      await box.getByLabel('Which rows?').fill('the long ones that came early')
      await eyes.look('5c-filter-in-words')
      await box.getByLabel('Which rows?').press('Enter')
      await box.waitFor({ state: 'detached' })
      await page
        .getByRole('button', { name: 'Change the filter on pages' })
        .filter({ hasText: '390' })
        .waitFor()
      await page
        .getByText(/^6 rows/)
        .first()
        .waitFor()

      model.answerWith(() => answer('[{"column":"price","operator":">","value":"1"}]'))
      await page.getByRole('button', { name: 'Filter in words' }).click()
      await box.getByLabel('Which rows?').fill('dear ones')
      await box.getByLabel('Which rows?').press('Enter')
      await box.getByText('The answer names a column that there is not: price').waitFor()
      await page.keyboard.press('Escape')
      model.answerWith(() => answer(said))
    },
  )
}
