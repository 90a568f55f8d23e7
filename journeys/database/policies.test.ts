import type { Page } from 'playwright-core'
import { beforeAll, expect } from 'vitest'
import type { Eyes } from '../testing/browser.ts'
import { codeIn, writeCode } from '../testing/code.ts'
import { openWorkbench, type Workbench } from '../testing/workbench.ts'
import { story } from '../testing/story.ts'

/** Who sees which rows: policies made by clicking, tried as a user, and privileges of single columns. */
let bench: Workbench
let page: Page
let eyes: Eyes
const user = '11111111-1111-4111-8111-111111111111'

beforeAll(async () => {
  bench = await openWorkbench({
    name: 'Notes',
    sql: `create table notes (id int primary key, user_id uuid, text text, salary int);
      insert into notes select n, case n % 2 when 0 then '${user}'::uuid end, 'Note ' || n, n from generate_series(1, 6) n;
      create table "Team ""plan""" (id int primary key);
      insert into auth.users (id, email) values ('${user}', 'grace@example.com')`,
  })
  ;({ page, eyes } = bench)
})

// The endpoint answers a list of rows.
const sql = async (query: string) => (await bench.sql(query)) as Record<string, unknown>[]
const card = () => page.getByRole('region', { name: 'notes', exact: true })
const choose = async (label: string, option: string) => {
  await page.getByRole('button', { name: new RegExp(`^${label}:`) }).click()
  await page.getByRole('option', { name: option, exact: true }).click()
}
const dialog = () => page.getByRole('dialog').last()

const step = story('policies of a table, written and tried out')

step(
  'a table without row level security is warned about, and secured by a recorded change',
  async () => {
    await bench.go(`database/policies`)
    await card()
      .getByText(/Anyone who has the public key/)
      .waitFor()
    await eyes.look('policies-00-policies-off')
    await card().getByRole('button', { name: 'Turn RLS on' }).click()
    await dialog().getByText('alter table public.notes enable row level security').waitFor()
    await dialog().getByRole('button', { name: 'Turn it on' }).click()
    await card().getByText('RLS on').waitFor()
    await card()
      .getByText(/see and change nothing here/)
      .waitFor()
  },
)

step(
  'a policy is made from a template; what is wrong in it is said before anything runs',
  async () => {
    await bench.go(`auth/policies`)
    await card().getByRole('button', { name: 'New policy' }).click()
    const panel = page.getByRole('dialog')
    await panel.getByRole('button', { name: /^Users do anything with their own rows/ }).click()
    const using = panel.getByLabel('Using', { exact: true })
    await expect.poll(() => codeIn(using)).toBe('(select auth.uid()) = user_id')
    await using.focus()
    await page.keyboard.press('ControlOrMeta+a')
    await page.keyboard.type('sal')
    const offered = page.locator('.suggest-widget.visible')
    await offered.getByText('salary').waitFor()
    await page.keyboard.press('Escape')
    await offered.waitFor({ state: 'hidden' })
    await page.keyboard.press('Tab')
    expect(await using.evaluate((field) => field.matches(':focus'))).toBe(false)
    await writeCode(using, '(select auth.uid()) = owner')
    await panel.getByRole('button', { name: 'Review SQL' }).click()
    await panel.getByText('column "owner" does not exist (character 23)').waitFor()
    await eyes.look('policies-01-policy-panel')
    await writeCode(using, '(select auth.uid()) = user_id')
    await panel.getByRole('button', { name: 'Review SQL' }).click()
    await dialog().getByRole('button', { name: 'Create policy' }).click()
    await card().getByText('Users manage their own rows').waitFor()
    const recorded = await sql(
      'select name from supabase_migrations.schema_migrations order by version',
    )
    expect(recorded.map((row) => row['name'])).toEqual([
      'enable_rls_on_notes',
      'create_policy_users_manage_their_own_rows_on_notes',
    ])
    await eyes.look('policies-02-policies')
  },
)

step(
  'the tester shows which rows a user reaches and which policy decided, and changes nothing',
  async () => {
    await card().getByRole('button', { name: 'Test' }).click()
    const panel = page.getByRole('dialog', { name: /Test the policies/ })
    await panel.getByText('Seen: 0 of 6 rows').waitFor()
    await panel.getByRole('button', { name: 'As: anon' }).click()
    await page.getByRole('button', { name: /^authenticated/ }).click()
    const grace = page.getByRole('option', { name: /grace@example.com/ })
    await grace.waitFor()
    await eyes.look('policies-03-role-picker')
    await grace.click()
    await panel.getByText('Seen: 3 of 6 rows').waitFor()
    await panel
      .getByText(/Users manage their own rows: yes/)
      .first()
      .waitFor()
    await eyes.look('policies-04-rls-tester')
    await panel.getByRole('button', { name: 'Update' }).click()
    await choose('What user_id gets', 'NULL')
    await eyes.look('policies-08-rls-fields')
    await panel.getByRole('button', { name: 'Try it' }).click()
    await panel.getByText(/Changed: 0 of 6 rows, 3 refused/).waitFor()
    await panel.getByRole('button', { name: 'Delete' }).click()
    await panel.getByText('Deleted: 3 of 6 rows').waitFor()
    let answer = () => {}
    const held = new Promise<void>((resolve) => (answer = resolve))
    await page.route('**/rls-test', (route) => held.then(() => route.continue()), { times: 1 })
    await panel.getByRole('button', { name: 'Insert' }).click()
    await panel.getByText('The row to add').waitFor()
    // The rows that would have been deleted are none that would be added.
    expect(await panel.getByText(/Added|Skipped/).count()).toBe(0)
    answer()
    await panel.getByLabel('Value of id').fill('7')
    await panel.getByRole('button', { name: 'JSON' }).click()
    const json = panel.getByLabel('The row to add, as JSON')
    expect(JSON.parse(await json.inputValue())).toEqual({ id: '7' })
    await json.fill('{"nothing": 1}')
    await panel.getByText('The table has no column nothing').waitFor()
    await json.fill(`{"id": 7, "user_id": "${user}"}`)
    await panel.getByRole('button', { name: 'Fields' }).click()
    await expect.poll(() => panel.getByLabel('Value of user_id').inputValue()).toBe(user)
    await panel.getByRole('button', { name: 'Try it' }).click()
    await panel.getByText('Added').waitFor()
    expect(page.url()).toContain('tester=')
    await panel.getByRole('button', { name: 'Close' }).click()
    await panel.waitFor({ state: 'hidden' })
    expect(await sql('select count(*)::int as n from notes')).toEqual([{ n: 6 }])
  },
)

step('the table editor leads to the policies of a table, and to their tester', async () => {
  await bench.go('editor')
  for (const item of ['View policies', 'Test policies']) {
    await page.getByRole('link', { name: /^notes/ }).click({ button: 'right' })
    await page.getByRole('menuitem', { name: item }).click()
    // The tester lies over the page as soon as it is there, and what is behind it has no role.
    const policies = page.getByRole('region', { name: 'notes', exact: true, includeHidden: true })
    await policies.getByText('Users manage their own rows').waitFor()
    expect(new URL(page.url()).searchParams.get('find')).toBe('notes')
    if (item === 'View policies') await page.goBack()
  }
  const panel = page.getByRole('dialog', { name: /Test the policies/ })
  await panel.getByText('Seen: 0 of 6 rows').waitFor()
  await panel.getByRole('button', { name: 'Close' }).click()
  await panel.waitFor({ state: 'hidden' })
  await page.getByRole('link', { name: /^Authentication/ }).click()
  await page.mouse.move(700, 450)
  await page.getByRole('link', { name: 'Policies', exact: true }).click()
  await card().waitFor()
  expect(new URL(page.url()).pathname).toMatch(/auth\/policies$/)
})

step('a policy is changed and dropped', async () => {
  await card().getByRole('button', { name: 'Users manage their own rows', exact: true }).click()
  const panel = page.getByRole('dialog')
  await panel.getByLabel('Name', { exact: true }).fill('Own "rows"')
  await panel.getByRole('button', { name: 'Review SQL' }).click()
  await dialog().getByRole('button', { name: 'Save policy' }).click()
  await card().getByText('Own "rows"').waitFor()
  await page.getByLabel('Find a table or policy').fill('own "')
  await page.getByRole('region', { name: 'Team "plan"' }).waitFor({ state: 'hidden' })
  await card().getByRole('button', { name: 'What to do with Own "rows"' }).click()
  await page.getByRole('menuitem', { name: 'Drop policy' }).click()
  await dialog().getByRole('button', { name: 'Drop policy' }).click()
  await page.getByText('No table or policy matches').waitFor()
  expect(await sql('select count(*)::int as n from pg_policy')).toEqual([{ n: 0 }])
})

step('a column is taken from a role that held the whole table', async () => {
  const { id } = (await sql("select 'notes'::regclass::oid::int as id"))[0] ?? {}
  await bench.go(`database/column-privileges?table=${String(id)}&role=anon`)
  await page.getByText(/Column privileges are not captured in migrations\./).waitFor()
  const tick = page.getByRole('checkbox', { name: 'SELECT on salary' })
  await tick.waitFor({ state: 'attached' })
  await expect.poll(() => tick.isChecked()).toBe(true)
  await tick.uncheck({ force: true })
  await page.getByText('Not applied yet').waitFor()
  await eyes.look('policies-05-column-privileges')
  await page.getByRole('button', { name: 'Reset' }).click()
  await expect.poll(() => tick.isChecked()).toBe(true)
  await tick.uncheck({ force: true })
  await page.getByRole('button', { name: 'Apply' }).click()
  await dialog().getByText('revoke select on table public.notes from anon').waitFor()
  await dialog().getByRole('button', { name: 'Apply' }).click()
  await page.getByText('As anon has it now').waitFor()
  const held = `select has_column_privilege('anon', 'notes', 'salary', 'select') as salary,
    has_column_privilege('anon', 'notes', 'text', 'select') as text`
  expect(await sql(held)).toEqual([{ salary: false, text: true }])
})

step('on a phone nothing overflows', async () => {
  await page.setViewportSize({ width: 390, height: 844 })
  for (const [path, there] of [
    ['auth/policies', 'RLS on'],
    ['database/column-privileges', 'Whole table'],
  ] as const) {
    await bench.go(`${path}`)
    await page.getByText(there).first().waitFor()
    const wide = await page.evaluate(() => document.documentElement.scrollWidth)
    expect([path, wide]).toEqual([path, 390])
    await eyes.look(`policies-06-${path.replaceAll('/', '-')}-phone`)
  }
  expect(eyes.errors).toEqual([])
})
