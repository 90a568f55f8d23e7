import type { Page } from 'playwright-core'
import { beforeAll, expect } from 'vitest'
import type { Eyes } from '../testing/browser.ts'
import { atEnd } from '../testing/ends.ts'
import { asOperator, recallStatement } from '../testing/operator.ts'
import { openWorkbench, type Workbench } from '../testing/workbench.ts'
import { story } from '../testing/story.ts'

let bench: Workbench
let page: Page
let eyes: Eyes
let ref: string

beforeAll(async () => {
  bench = await openWorkbench({
    name: 'Books',
    sql: `create table readers (id int primary key, name text);
      alter table readers enable row level security;
      create policy "everybody reads" on readers for select using (true);
      create table loans (id int primary key, reader int references readers, day date, note text);
      insert into readers select n, 'Reader ' || n from generate_series(1, 2000) n;
      insert into loans select n, 1 + n % 2000, date '2026-01-01' + n % 300, repeat('x', 60) from generate_series(1, 20000) n;
      create view open_loans as select * from loans;`,
  })
  await sql('analyze loans')
  ;({ page, eyes, ref } = bench)
})

// The endpoint answers a list of rows.
const sql = async (query: string) => (await bench.sql(query)) as Record<string, unknown>[]
const go = (path: string) => bench.go(path)
const button = (name: string | RegExp) => page.getByRole('button', { name })
const panel = () => page.getByRole('dialog').first()
const tab = (name: RegExp) => page.getByRole('tab', { name })

const step = story('advisors: findings, repairs, slow queries and what runs now')

step('a hole is found, put aside with a note, and shown again', async () => {
  await go('advisors/security')
  await page.getByRole('heading', { name: 'Security advisor' }).waitFor()
  await tab(/^Errors\s*2$/).waitFor()
  await eyes.look('90-security-advisor')
  await page.getByLabel('Find a finding').fill('loans off')
  await button(/Table public.loans can be reached/).click()
  await panel().getByText('How to fix it').waitFor()
  await eyes.look('91-finding')
  await panel().getByRole('button', { name: 'Ignore' }).click()
  const asked = page.getByRole('dialog', { name: 'Ignore finding' })
  await asked.getByLabel('Note').fill('Loaned out to a script')
  await asked.getByRole('button', { name: 'Ignore', exact: true }).click()
  await tab(/^Errors\s*1$/).waitFor()
  await button('Ignored').click()
  await button(/Table public.loans can be reached/).click()
  await panel().getByText('Loaned out to a script').waitFor()
  await panel().getByRole('button', { name: 'Show again' }).click()
  await panel().getByRole('button', { name: 'Ignore' }).waitFor()
  await page.keyboard.press('Escape')
  await tab(/^Errors\s*2$/).waitFor()
})

step('a repair is shown as SQL, made, recorded, and the finding is gone', async () => {
  await go('advisors/security?q=loans+off')
  await button(/Table public.loans can be reached/).click()
  await button('Review fix').click()
  const review = page.getByRole('dialog', { name: /^Fix: / })
  await review.getByText('alter table public.loans enable row level security').first().waitFor()
  await review.getByRole('button', { name: 'Apply fix' }).click()
  await page.getByText('The fix is applied').first().waitFor()
  await tab(/^Errors\s*1$/).waitFor()
  expect(await sql("select relrowsecurity from pg_class where relname = 'loans'")).toEqual([
    { relrowsecurity: true },
  ])
  expect(await sql('select name, rollback from supabase_migrations.schema_migrations')).toEqual([
    { name: 'enable_rls_loans', rollback: ['alter table public.loans disable row level security'] },
  ])
})

step('repeated findings of a rule are one row, which opens to them', async () => {
  await sql('create table bare_one (n int); create table bare_two (n int)')
  await go('advisors/performance?level=INFO')
  const row = button(/Table without a primary key/)
  await row.getByText('2 findings').waitFor()
  await expect.poll(() => button(/Table public.bare_one/).count()).toBe(0)
  await row.click()
  await eyes.look('92-repeated-findings')
  await button(/Table public.bare_two/).click()
  await panel().getByText('How to fix it').waitFor()
  await page.keyboard.press('Escape')
  await page.getByLabel('Find a finding').fill('bare')
  await button(/Table public.bare_one/).waitFor()
  await sql('drop table bare_one, bare_two')
})

step('what a person has to decide opens in the SQL editor', async () => {
  await go('advisors/performance?level=INFO')
  await button(/Foreign key loans_reader_fkey of table public.loans/).waitFor()
  await go('advisors/security?level=INFO')
  await button(/Table public.loans has row level security and no policy/).click()
  await button('Open in SQL editor').click()
  await expect.poll(() => page.url()).toMatch(/\/sql\/[0-9a-f-]{36}$/)
  await page.getByText('Read own rows').first().waitFor()
})

step(
  'where time goes: a slow statement, its plan, an index that was tried, made and used',
  async () => {
    for (let n = 1; n <= 5; n++)
      await sql(`select count(*), max(note) from loans where reader = ${n}`)
    await go('advisors/query-performance')
    await page.getByRole('heading', { name: 'Query performance' }).waitFor()
    await page.getByLabel('Find in the text').fill('max(note)')
    const statement = button(/where reader = \$1/)
    await statement.waitFor()
    await eyes.look('93-query-performance')
    const [counted] = await sql(
      "select queryid::text as id from extensions.pg_stat_statements where query like '%max(note)%reader = $1%'",
    )
    await recallStatement(bench.platform, ref, String(counted?.['id']))
    await statement.click()
    await panel()
      .getByText(/looks?, at most/)
      .waitFor()
    await expect.poll(() => panel().locator('.trend > span').count()).toBeGreaterThanOrEqual(1)
    await panel().getByRole('button', { name: 'Calls', exact: true }).click()
    await panel()
      .getByText(/at most 20$/)
      .waitFor()
    await panel()
      .getByText(/Scan on loans/)
      .first()
      .waitFor()
    await panel().getByRole('button', { name: 'Suggest an index' }).click()
    await panel().getByText('public.loans (reader)').waitFor()
    await panel()
      .getByText(/% cheaper/)
      .waitFor()
    await eyes.look('94-statement')
    await panel().getByRole('button', { name: 'Create index' }).click()
    const review = page.getByRole('dialog', { name: 'Create index' })
    await review
      .getByText(/create index concurrently/)
      .first()
      .waitFor()
    await review.getByRole('button', { name: 'Create index' }).click()
    await page.getByText('Index created').first().waitFor()
    await panel()
      .getByText(/No index on the columns/)
      .waitFor()
    expect(
      await sql("select indexname from pg_indexes where indexname like 'loans_reader%'"),
    ).toEqual([{ indexname: 'loans_reader_idx' }])
  },
)

step('the index advisor looks at the busiest statements together', async () => {
  await sql('drop index loans_reader_idx')
  await go('database/indexes')
  await button('Index advisor').click()
  await panel().getByRole('button', { name: 'Suggest indexes' }).click()
  const advised = panel().locator('.advice').filter({ hasText: 'public.loans (reader)' })
  await advised
    .getByText(/% of the time/)
    .first()
    .waitFor()
  await panel().getByRole('button', { name: 'Check again' }).waitFor()
  await eyes.look('99-index-advisor')
  await advised.getByRole('button', { name: 'Create index' }).click()
  const review = page.getByRole('dialog', { name: 'Create index' })
  await review.getByRole('button', { name: 'Create index' }).click()
  await review.waitFor({ state: 'detached' })
  await page.getByText('What was advised is made.').waitFor()
  await page
    .getByRole('dialog', { name: 'Index advisor' })
    .getByRole('button', { name: 'Close' })
    .click()
  await page.getByRole('row', { name: /loans_reader_idx/ }).waitFor()
})

step('figures leave as CSV and are forgotten on demand', async () => {
  await go('advisors/query-performance?q=max(note)')
  await button(/where reader = \$1/).waitFor()
  const [file] = await Promise.all([
    page.waitForEvent('download'),
    button('Download as CSV').click(),
  ])
  expect(file.suggestedFilename()).toBe('query-performance.csv')
  await button('Reset figures').click()
  await page.getByRole('dialog').getByRole('button', { name: 'Reset figures' }).click()
  await page.getByText('Statistics reset').first().waitFor()
  await page.getByText('No statement found').waitFor()
})

step('a query that runs too long is seen and cancelled', async () => {
  const slow = sql('select pg_sleep(120), 7 as marked').then(
    () => 'done',
    (error: unknown) => String(error),
  )
  await go('database/queries?q=marked')
  const row = page.getByRole('row', { name: /pg_sleep\(120\)/ })
  await row.waitFor()
  await eyes.look('95-running-queries')
  await row.getByRole('button', { name: /^Cancel the query/ }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Cancel query' }).click()
  await page
    .getByText(/is cancelled/)
    .first()
    .waitFor()
  expect(await slow).toMatch(/Error: 4\d\d/)
  await row.waitFor({ state: 'detached' })
})

step('with the preview the advisors lead to their rules, which can be switched off', async () => {
  await asOperator(bench.platform, 'PUT', 'flags/advisorRulesPreview', { on: true })
  // For whoever comes after this journey.
  atEnd(() => asOperator(bench.platform, 'DELETE', 'flags/advisorRulesPreview'))
  await page.evaluate(() => localStorage.setItem('supabase-ui-advisor-rules', 'true'))
  await go('advisors')
  await page.getByRole('heading', { name: 'Security rules' }).waitFor()
  expect(new URL(page.url()).pathname).toBe(`/project/${ref}/advisors/rules/security`)
  await page.getByLabel('Find a rule').fill('rights of its owner')
  await button('Switch off: View with the rights of its owner').click()
  const asked = page.getByRole('dialog', { name: 'Switch off rule' })
  await asked.getByLabel('Note').fill('Views are ours to watch')
  await asked.getByRole('button', { name: 'Switch off' }).click()
  await page.getByText('Views are ours to watch').waitFor()
  await eyes.look('96-advisor-rules')
  await page.getByRole('link', { name: 'Show findings' }).click()
  await tab(/^Errors\s*0$/).waitFor()
})

step('all of it fits a phone', async () => {
  await page.setViewportSize({ width: 390, height: 844 })
  await go('advisors/security?level=INFO')
  await button(/no policy/)
    .first()
    .waitFor()
  await eyes.look('97-advisor-phone')
  await go('advisors/query-performance?whose=all')
  await page.locator('.statement-text').first().waitFor()
  await eyes.look('98-performance-phone')
  const busy = sql('select pg_sleep(60)').catch(() => undefined)
  await go('database/queries')
  await button(/^End session/)
    .first()
    .click()
  await page.getByRole('dialog').getByRole('button', { name: 'End session' }).click()
  await page
    .getByText(/is ended/)
    .first()
    .waitFor()
  await busy
  const wide = await page.evaluate(() => document.documentElement.scrollWidth)
  expect(wide).toBeLessThanOrEqual(390)
  expect(eyes.errors).toEqual([])
})
