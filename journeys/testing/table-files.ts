import { expect } from 'vitest'
import { pressAt } from './grid.ts'
import { at, title, type Works } from './works.ts'
import type { Step } from './story.ts'

/** Files of the project's storage that cells refer to: registered by the journey that opens the works. */
export function fileSteps(step: Step, opened: () => Works): void {
  step('a cell refers to a file that one looks for in the storage', async () => {
    const { page, eyes, sql, bench, open, shows, item, save } = opened()
    await sql(`
      insert into storage.buckets (id, name, public) values ('covers', 'covers', true), ('drafts', 'drafts', false)
        on conflict do nothing;
      insert into storage.objects (bucket_id, name, version, metadata) values
        ('covers', 'spring/a cover.png', gen_random_uuid(), '{"size": 2048, "mimetype": "image/png"}'),
        ('covers', 'readme.txt', gen_random_uuid(), '{"size": 12, "mimetype": "text/plain"}'),
        ('drafts', 'first/one.md', gen_random_uuid(), '{"size": 5, "mimetype": "text/markdown"}')
        on conflict do nothing`)
    await open()
    await pressAt(page, at.cell(title, 6), 'right')
    await item('Choose a file')
    const dialog = page.getByRole('dialog', { name: 'Choose a file' })
    const option = (name: string) => dialog.getByRole('option', { name })
    await option('readme.txt').waitFor()
    await eyes.look('65-file-choice')
    await option('spring').click()
    await dialog.getByRole('combobox', { name: /^Files of spring/ }).fill('a c')
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('ArrowDown')
    await option('a cover.png').waitFor()
    await eyes.look('66-file-choice-folder')
    await option('a cover.png').click()
    await dialog.waitFor({ state: 'detached' })
    await shows(title, 6, '/storage/v1/object/public/covers/spring/a%20cover.png')
    await save()
    expect(await sql('select title from works where id = 7')).toEqual([
      { title: `${bench.project.endpoint}/storage/v1/object/public/covers/spring/a%20cover.png` },
    ])

    // A private file has no address of its own: its path is what clients ask for.
    await pressAt(page, at.cell(title, 7), 'right')
    await item('Edit row')
    const panel = page.getByRole('dialog', { name: /^Row of works/ })
    await panel.getByRole('button', { name: 'Choose a file' }).click()
    await dialog.getByLabel('Bucket').click()
    await page.getByRole('option', { name: 'drafts' }).click()
    await dialog.getByText(/The bucket is private/).waitFor()
    await option('first').click()
    await option('one.md').click()
    await dialog.waitFor({ state: 'detached' })
    await expect.poll(() => panel.getByLabel(/^title/).inputValue()).toBe('first/one.md')
    await panel.getByRole('button', { name: 'Add to changes' }).click()

    await pressAt(page, at.cell(title, 6), 'right')
    await item('Open in a panel')
    const value = page.getByRole('dialog', { name: 'title of works' })
    await value.getByRole('link', { name: 'covers/spring/a cover.png' }).waitFor()
    await value.getByRole('button', { name: 'Choose a file' }).click()
    await dialog.getByRole('button', { name: 'Path in the bucket' }).click()
    await option('readme.txt').click()
    await expect
      .poll(() => value.getByLabel('Value', { exact: true }).inputValue())
      .toBe('readme.txt')
    await value.getByRole('button', { name: 'Add to changes' }).click()
    await save()
    expect(await sql('select title from works where id in (7, 8) order by id')).toEqual([
      { title: 'readme.txt' },
      { title: 'first/one.md' },
    ])
  })
}
