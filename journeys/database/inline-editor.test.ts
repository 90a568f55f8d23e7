import { beforeAll, expect } from 'vitest'
import { codeIn, writeCode } from '../testing/code.ts'
import { story } from '../testing/story.ts'
import { openWorkbench, type Workbench } from '../testing/workbench.ts'

/** Feature previews of this version: objects of the database as SQL beside their lists, and a page that can be hidden. */
let bench: Workbench

beforeAll(async () => {
  bench = await openWorkbench({
    name: 'Inline',
    sql: `create table notes (id int primary key, text text);
      alter table notes enable row level security;
      create policy "read notes" on notes for select to anon using (true);
      create function shout(text text) returns text language sql as 'select upper(text)';
      create function stamp() returns trigger language plpgsql as 'begin return new; end';
      create trigger stamped before insert on notes for each row execute function stamp()`,
  })
})

const panel = () => bench.page.getByRole('dialog').first()
const field = () => panel().getByRole('textbox', { name: 'SQL' })
const rows = async (query: string) => (await bench.sql(query)) as Record<string, unknown>[]
const preview = async (key: string, verb: 'Enable feature' | 'Disable feature') => {
  await bench.page.goto(`${bench.page.url().split('?')[0]}?featurePreviewModal=${key}`)
  await bench.page.getByRole('button', { name: verb }).click()
  await bench.page.keyboard.press('Escape')
  await bench.page.getByRole('dialog').first().waitFor({ state: 'hidden' })
}
/** Writes the SQL of the panel, looks at it once more and runs it. */
async function run(sql: string, verb: string) {
  await writeCode(field(), sql)
  await panel().getByRole('button', { name: 'Review SQL' }).click()
  await bench.page.getByRole('dialog').last().getByRole('button', { name: verb }).click()
  await panel().waitFor({ state: 'hidden' })
}

const step = story('functions, triggers and policies as SQL, once the preview is on')

step('a function opens as its SQL, which runs only once it is reviewed', async () => {
  const { page, eyes } = bench
  await bench.go('database/functions')
  await preview('supabase-ui-preview-inline-editor', 'Enable feature')
  await page.getByRole('button', { name: 'shout', exact: true }).click()
  await expect.poll(() => codeIn(field())).toContain('CREATE OR REPLACE FUNCTION public.shout')
  // Nothing is changed yet, so there is nothing to review.
  await expect
    .poll(() => panel().getByRole('button', { name: 'Review SQL' }).isDisabled())
    .toBe(true)
  await eyes.look('inline-editor-00-function')
  const body = `create or replace function public.shout(text text) returns text language sql as $$ select upper(text) || '!' $$`
  await run(body, 'Save function')
  expect(await rows("select shout('a')")).toEqual([{ shout: 'A!' }])
  const [last] = await rows(
    'select name from supabase_migrations.schema_migrations order by version desc limit 1',
  )
  expect(last).toEqual({ name: 'change_function_shout' })
})

step('a trigger and a policy are changed in one go, or not at all', async () => {
  const { page } = bench
  await bench.go('database/triggers')
  await page.getByRole('button', { name: 'stamped', exact: true }).click()
  await expect.poll(() => codeIn(field())).toMatch(/drop trigger[^]*create trigger/i)
  await run(
    'drop trigger stamped on notes; create trigger stamped after insert on notes for each row execute function stamp()',
    'Save trigger',
  )
  expect(
    await rows(
      "select pg_get_triggerdef(oid) like '%AFTER INSERT%' as after from pg_trigger where tgname = 'stamped'",
    ),
  ).toEqual([{ after: true }])

  await bench.go('database/policies')
  await page.getByRole('button', { name: 'read notes', exact: true }).click()
  await expect.poll(() => codeIn(field())).toMatch(/drop policy[^]*create policy/i)
  await writeCode(
    field(),
    'drop policy "read notes" on notes; create policy broken on nowhere using (true)',
  )
  await panel().getByRole('button', { name: 'Review SQL' }).click()
  const review = page.getByRole('dialog').last()
  await review.getByRole('button', { name: 'Save policy' }).click()
  await review.getByText('relation "nowhere" does not exist').waitFor()
  expect(await rows("select policyname from pg_policies where tablename = 'notes'")).toEqual([
    { policyname: 'read notes' },
  ])
})

step('without the preview the form is back', async () => {
  await bench.go('database/policies')
  await preview('supabase-ui-preview-inline-editor', 'Disable feature')
  await bench.page.getByRole('button', { name: 'read notes', exact: true }).click()
  await panel().getByLabel('Name').waitFor()
})

step(
  'column privileges can be put out of sight, and their address says how to get them back',
  async () => {
    const { page, eyes } = bench
    await bench.go('database/policies')
    const link = page.getByRole('link', { name: 'Column privileges' })
    await link.waitFor()
    await preview('supabase-ui-cls', 'Disable feature')
    await link.waitFor({ state: 'hidden' })
    await bench.go('database/column-privileges')
    await page.getByRole('heading', { name: 'This page is a feature preview' }).waitFor()
    await eyes.look('inline-editor-01-preview-off')
    await page.getByRole('button', { name: 'Feature previews' }).click()
    await page.getByRole('button', { name: 'Enable feature' }).click()
    await page.keyboard.press('Escape')
    await page.getByText('Column privileges are not captured in migrations.').waitFor()
  },
)
