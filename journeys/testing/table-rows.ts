import { expect } from 'vitest'
import { cellText, chooseCell, places, pressAt } from './grid.ts'
import { at, day, pages, place, title, type Works } from './works.ts'
import type { Step } from './story.ts'

/** Rows as a whole, beside the cells of the grid: registered by the journey that opens the works. */
export function rowSteps(step: Step, opened: () => Works): void {
  step('a row is inserted, edited and copied in its panel', async () => {
    const { page, eyes, sql, open, shows, item, save } = opened()
    await open()
    await page.getByRole('button', { name: 'Insert row' }).first().click()
    const panel = page.getByRole('dialog')
    await panel.getByLabel(/^title/).fill('From the panel')
    await eyes.look('57-row-panel')
    await panel.getByRole('button', { name: 'Add to changes' }).click()
    await shows(title, 0, 'From the panel')
    await save()
    expect(await sql("select id from works where title = 'From the panel'")).toEqual([{ id: 13 }])
    await pressAt(page, at.cell(title, 3), 'right')
    await item('Edit row')
    await panel.getByLabel(/^pages/).fill('404')
    await panel.getByRole('button', { name: 'Add to changes' }).click()
    await pressAt(page, at.cell(title, 3), 'right')
    await item('Duplicate row')
    await panel.getByRole('button', { name: 'Add to changes' }).click()
    await save()
    expect(await sql("select pages from works where title = 'Work 4' order by id")).toEqual([
      { pages: 404 },
      { pages: 404 },
    ])
  })

  step('a composite value is edited by its fields', async () => {
    const { page, eyes, sql, open, item, save } = opened()
    await open()
    await chooseCell(page, at, day, 0)
    for (const column of [6, 7, place]) {
      await page.keyboard.press('ArrowRight')
      await page
        .locator(`#glide-cell-${column + 1}-0[aria-selected=true]`)
        .waitFor({ state: 'attached' })
    }
    await page.keyboard.press('Shift+F10')
    await item('Open in a panel')
    const panel = page.getByRole('dialog', { name: 'place of works' })
    const shelf = panel.getByLabel(/^shelf/)
    await shelf.waitFor()
    await expect.poll(() => shelf.inputValue()).toBe('A, b')
    await shelf.fill('say "C", (d)')
    await panel.getByRole('button', { name: 'NULL' }).last().click()
    await eyes.look('62-composite')
    await panel.getByRole('button', { name: 'Text', exact: true }).click()
    await expect
      .poll(() => panel.getByLabel('Value', { exact: true }).inputValue())
      .toBe('("say ""C"", (d)",)')
    await panel.getByRole('button', { name: 'Add to changes' }).click()
    await save()
    expect(await sql('select (place).shelf, (place).spot from works where id = 1')).toEqual([
      { shelf: 'say "C", (d)', spot: null },
    ])
  })

  step('each change can be saved at once, also while another is on its way', async () => {
    const { page, sql, open, type } = opened()
    const when = async (choice: string) => {
      await page.getByRole('button', { name: 'Export and saving' }).click()
      await page.getByRole('menuitemradio', { name: choice }).click()
    }
    await open()
    await when('Save each change at once')
    const applying = '**/pg-meta/*/entities/*/apply'
    let release = () => {}
    const held = new Promise<void>((done) => (release = done))
    await page.route(applying, async (route) => {
      await held
      await route.continue()
    })
    await type(pages, 0, '111')
    await type(pages, 1, '222')
    expect(await sql('select pages from works where id < 3 and pages in (111, 222)')).toEqual([])
    release()
    await expect
      .poll(() => sql('select pages from works where id < 3 order by id'), { timeout: 60_000 })
      .toEqual([{ pages: 111 }, { pages: 222 }])
    await page.unroute(applying)
    await page.getByRole('button', { name: 'Discard all' }).waitFor({ state: 'detached' })
    await when('Collect changes, then apply')
  })

  step(
    'a column, the right to write, or the table itself may go while one edits; what was typed stays',
    async () => {
      const { page, eyes, sql, open, type, shows, save } = opened()
      const own = places([112, 208, 208])
      await sql(
        `drop table if exists passing; create table passing (id int primary key, a text, b text); insert into passing values (1, 'x', 'y')`,
      )
      await open('passing')
      await type(1, 0, 'mine a', own)
      await type(2, 0, 'mine b', own)
      // Where one stands is in the column that goes.
      await chooseCell(page, own, 2, 0)
      await sql('alter table passing drop column b')
      await page.keyboard.press('ControlOrMeta+s')
      await page
        .getByText(/has no column "b"/)
        .first()
        .waitFor()
      // The grid is drawn anew while it has the focus, without the column.
      await cellText(page, 2, 0).waitFor({ state: 'detached' })
      await page.getByRole('button', { name: 'Review' }).click()
      const review = page.getByRole('complementary', { name: 'Review changes' })
      await review.getByText('mine b').waitFor()
      await review.getByText(/no longer exists/).waitFor()
      await eyes.look('58-column-gone')
      await review.getByRole('button', { name: 'Discard these changes' }).click()
      await save()
      expect(await sql('select a from passing')).toEqual([{ a: 'mine a' }])
      await type(1, 0, 'mine again', own)
      await sql('revoke update on passing from public, postgres, anon, authenticated, service_role')
      await page.keyboard.press('ControlOrMeta+s')
      await page
        .getByText(/permission denied for table passing/)
        .first()
        .waitFor()
      await shows(1, 0, 'mine again')
      await sql('drop table passing')
      await page.keyboard.press('ControlOrMeta+s')
      await page
        .getByText(/passing no longer exists/)
        .first()
        .waitFor()
      await shows(1, 0, 'mine again')
      await page.getByRole('button', { name: 'Discard all' }).click()
      await page.getByRole('button', { name: /^Discard \d/ }).click()
    },
  )

  step('thousands of tables come part by part, and one is found by its name', async () => {
    const { page, sql, open } = opened()
    await sql(
      `do $$ begin for n in 1..240 loop execute format('create table if not exists many_%s (id int)', lpad(n::text, 3, '0')); end loop; end $$`,
    )
    await open()
    const list = page.getByRole('navigation', { name: 'Tables of public' })
    await list.getByText('many_001').waitFor()
    await expect.poll(() => list.getByText('many_240').count()).toBe(0)
    // Each part that comes makes the list longer.
    const atTheEnd = async () => {
      await list.evaluate((box) => box.scrollTo(0, box.scrollHeight))
      return list.getByText('many_240').isVisible()
    }
    await expect.poll(atTheEnd, { timeout: 60_000 }).toBe(true)
    await page.getByLabel('Find a table').fill('any_123')
    await list.getByText('many_122').waitFor({ state: 'detached' })
    await list.getByText('many_123').waitFor()
  })

  step('all rows that match are deleted at once, on other pages too, and no others', async () => {
    const { page, eyes, bench, sql } = opened()
    await sql(
      'drop table if exists passed; create table passed (n int primary key); insert into passed select generate_series(1, 150)',
    )
    const [row] = (await sql("select 'passed'::regclass::oid::int as id")) as { id: number }[]
    await bench.go(`editor/${row?.id}?filter=${encodeURIComponent('n:<:121')}`)
    await page
      .getByText(/^120 rows$/)
      .first()
      .waitFor()
    await cellText(page, 0, 0).waitFor({ state: 'attached' })
    await pressAt(page, { x: 22, y: 16 })
    await page.getByText('100 rows selected').waitFor()
    await page.getByRole('button', { name: 'Delete all matching rows' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByText(/120 rows that match the filters are deleted/).waitFor()
    await dialog.getByLabel(/to confirm/).fill('passed')
    await eyes.look('59-delete-matching')
    await dialog.getByRole('button', { name: 'Delete 120 rows' }).click()
    await page.getByText('120 rows deleted').first().waitFor()
    expect(await sql('select count(*)::int as n, min(n) from passed')).toEqual([
      { n: 30, min: 121 },
    ])
  })

  step('the grid is walked through and edited with the keyboard alone', async () => {
    const { page, sql, open, save, editor } = opened()
    await open()
    await page.keyboard.press('Tab')
    await page.keyboard.press('Enter')
    const inGrid = () => page.evaluate(() => Boolean(document.activeElement?.closest('canvas')))
    for (let tabs = 0; !(await inGrid()); tabs++) {
      if (tabs > 40) throw new Error('Tab never comes to the grid')
      await page.keyboard.press('Tab')
    }
    await page.keyboard.press('ArrowRight')
    await page.locator('#glide-cell-2-0[aria-selected=true]').waitFor({ state: 'attached' })
    await page.keyboard.press('Shift+F10')
    await page.getByRole('menuitem', { name: 'Row as JSON' }).waitFor()
    await page.keyboard.press('Escape')
    await page.getByRole('menu').waitFor({ state: 'detached' })
    // The menu gives the focus back in the task after its end.
    await expect.poll(inGrid).toBe(true)
    await page.keyboard.press('Alt+ArrowDown')
    await page.getByRole('menuitem', { name: 'Sort ascending' }).waitFor()
    await page.keyboard.press('Escape')
    await page.getByRole('menu').waitFor({ state: 'detached' })
    await expect.poll(inGrid).toBe(true)
    const [before] = (await sql('select title from works order by id limit 1')) as {
      title: string
    }[]
    await page.keyboard.press('Enter')
    await editor().waitFor()
    await page.keyboard.press('End')
    await page.keyboard.type('!')
    // What is still in its editor is saved with the rest.
    await save()
    expect(await sql('select title from works order by id limit 1')).toEqual([
      { title: `${before?.title}!` },
    ])
  })

  step('on a phone rows are cards, and are edited in their panel', async () => {
    const { bench, page, eyes, sql, apply } = opened()
    await page.setViewportSize({ width: 390, height: 844 })
    await sql("update works set title = 'On a desk' where id = 1")
    const [row] = (await sql("select 'works'::regclass::oid::int as id")) as { id: number }[]
    await bench.go(`editor/${row?.id}`)
    const cards = page.getByRole('list', { name: 'Rows of works' })
    await cards.getByRole('button').first().waitFor()
    await eyes.look('60-cards')
    await cards.getByRole('button').first().click()
    const panel = page.getByRole('dialog')
    await panel.getByLabel(/^title/).fill('On a phone')
    await panel.getByRole('button', { name: 'Add to changes' }).click()
    await apply(1).click()
    await expect
      .poll(() => sql('select title from works where id = 1'), { timeout: 60_000 })
      .toEqual([{ title: 'On a phone' }])
    // What was refused on purpose is in the console, too.
    expect(eyes.errors.filter((text) => !/status of 4\d\d/.test(text))).toEqual([])
  })
}
