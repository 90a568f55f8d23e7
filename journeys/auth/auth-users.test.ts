import type { Page } from 'playwright-core'
import { beforeAll, expect } from 'vitest'
import type { Eyes } from '../testing/browser.ts'
import { openWorkbench, type Workbench } from '../testing/workbench.ts'
import { story } from '../testing/story.ts'

/** The users of a project, from the first to the last, and what was written down about them. */
let bench: Workbench
let page: Page
let eyes: Eyes

beforeAll(async () => {
  bench = await openWorkbench({ name: 'Shop' })
  ;({ page, eyes } = bench)
})

const heading = (name: string) => page.getByRole('heading', { name, level: 1 }).waitFor()
const table = () => page.getByRole('table', { name: 'Users' })
const rows = () => table().locator('tbody tr')
const dialog = () => page.getByRole('dialog').last()
/** Beside the list, or over it. */
const panel = () => page.locator('.panel').first()
const said = (words: string) => page.getByText(words).first().waitFor()
const choose = async (label: string, option: string | RegExp) => {
  await page.getByRole('button', { name: new RegExp(`^${label}:`) }).click()
  await page.getByRole('option', { name: option }).click()
}

/** Somebody of the project signs in with its public key. */
async function signIn(email: string, password: string): Promise<number> {
  const { endpoint, anonKey } = bench.project
  const response = await fetch(`${endpoint}/auth/v1/token?grant_type=password`, {
    method: 'POST',
    headers: { apikey: anonKey, 'content-type': 'application/json', 'user-agent': 'A shop app' },
    body: JSON.stringify({ email, password }),
  })
  return response.status
}

const seed = `
  insert into auth.users (id, email, is_anonymous, email_confirmed_at, created_at, raw_app_meta_data, raw_user_meta_data)
  select ('00000000-0000-4000-8000-' || lpad(i::text, 12, '0'))::uuid,
    case when i % 10 > 0 then 'reader' || lpad(i::text, 3, '0') || '@example.com' end, i % 10 = 0,
    case when i % 10 > 1 then now() end::timestamptz, now() - i * interval '1 hour',
    '{"providers": ["email"]}', jsonb_build_object('full_name', 'Reader ' || i, 'likes', case when i = 7 then 'espresso' else 'tea' end)
  from generate_series(1, 120) i on conflict do nothing`

const step = story('the users of a project, from the first to the last')

step('without users the page and the overview say how to get some', async () => {
  await bench.go('auth')
  await heading('Users')
  await page.getByText('No users yet').waitFor()
  await eyes.look('auth-users-00-empty')
  await page.getByRole('link', { name: 'Overview', exact: true }).click()
  await heading('Overview')
  await page.getByRole('link', { name: 'Go to users' }).click()
  await heading('Users')
})

step(
  'a user is created with the keyboard, can sign in, and their address is taken then',
  async () => {
    await page.getByRole('button', { name: 'Create a user' }).focus()
    await page.keyboard.press('Enter')
    await dialog().getByLabel('Email').fill('mara@example.com')
    await dialog().getByLabel('Password', { exact: true }).fill('correct horse 1')
    await eyes.look('auth-users-01-create')
    await page.keyboard.press('Enter')
    await said('User created')
    await table().getByRole('button', { name: 'mara@example.com' }).waitFor()
    expect(await signIn('mara@example.com', 'correct horse 1')).toBe(200)

    await page.getByRole('button', { name: 'Add user' }).click()
    await page.getByRole('menuitem', { name: 'Create a user' }).click()
    await dialog().getByLabel('Email').fill('Mara@example.com')
    await dialog().getByRole('button', { name: 'Create user' }).click()
    await dialog().getByText('A user with this email address has already been registered').waitFor()
    await dialog().getByRole('button', { name: 'Cancel' }).click()
  },
)

step('an invitation is sent', async () => {
  await page.getByRole('button', { name: 'Add user' }).click()
  await page.getByRole('menuitem', { name: 'Send an invitation' }).click()
  await dialog().getByLabel('Email').fill('guest@example.com')
  await dialog().getByRole('button', { name: 'Send invitation' }).click()
  await said('Invitation sent to guest@example.com')
  await rows()
    .filter({ hasText: 'guest@example.com' })
    .getByText('Waiting for confirmation')
    .waitFor()
})

step('pages of fifty, forth and back', async () => {
  await bench.sql(seed)
  await page.getByRole('button', { name: 'Refresh' }).click()
  await page.getByText('122 users').waitFor()
  await expect.poll(() => rows().count()).toBe(50)
  // The name alone: how long ago it was made goes on meanwhile.
  const top = () => rows().first().getByRole('button').first().innerText()
  const first = await top()
  await page.getByRole('button', { name: 'Next page' }).click()
  await page.getByText('51 – 100').waitFor()
  expect(await top()).not.toBe(first)
  await page.getByRole('button', { name: 'Next page' }).click()
  await page.getByText('101 – 122').waitFor()
  await expect.poll(() => rows().count()).toBe(22)
  for (const _ of [1, 2]) await page.getByRole('button', { name: 'Previous page' }).click()
  await page.getByText('1 – 50').waitFor()
  expect(await top()).toBe(first)
  await eyes.look('auth-users-02-list')
})

step('users are found by what they begin with, or anywhere in the text', async () => {
  const find = page.getByLabel('Find a user')
  await find.fill('READER00')
  await page.getByText('1 – 9', { exact: true }).waitFor()
  await find.fill('espress')
  await page.getByText('1 – 1', { exact: true }).waitFor()
  await table().getByRole('button', { name: 'reader007@example.com' }).waitFor()
  await find.fill('eader007')
  await page.getByText('No user found').waitFor()
  await page.getByRole('button', { name: 'Contains' }).click()
  await find.press('Enter')
  await table().getByRole('button', { name: 'reader007@example.com' }).waitFor()
  await page.getByText('reads every user').waitFor()
  expect(new URL(page.url()).searchParams.get('match')).toBe('contains')
  await page.reload()
  await table().getByRole('button', { name: 'reader007@example.com' }).waitFor()
  await bench.go('auth/users')
})

step('and by their status, in the order that is asked for', async () => {
  await choose('Status', 'Anonymous')
  await page.getByText('12 users').waitFor()
  await choose('Status', 'Any status')
  await choose('Sort by', 'Email, A first')
  await page.getByText('122 users').waitFor()
  await choose('Sort by', 'Email, Z first')
  await expect.poll(() => rows().first().innerText()).toContain('reader119@example.com')
  await bench.go('auth/users')
})

step('columns are chosen and stay chosen', async () => {
  const heads = () => table().locator('thead th').allInnerTexts()
  await rows().first().waitFor()
  expect(await heads()).not.toContain('Role')
  await page.getByRole('button', { name: 'Columns' }).click()
  await page.getByText('Role', { exact: true }).click()
  await page.getByRole('button', { name: 'Move Display name to the left' }).click()
  await eyes.look('auth-users-03-columns')
  await page.keyboard.press('Escape')
  await page.reload()
  await rows().first().waitFor()
  const kept = await heads()
  expect(kept).toContain('Role')
  expect(kept.indexOf('Display name')).toBeLessThan(kept.indexOf('User ID'))
})

step('who is selected is deleted together', async () => {
  await page.getByLabel('Find a user').fill('reader11')
  await page.getByText('1 – 9', { exact: true }).waitFor()
  await table().getByText('Select all on this page').locator('xpath=..').click()
  await page.getByText('9 users selected').waitFor()
  await page.getByRole('button', { name: 'Delete selected' }).click()
  await dialog().getByText('Delete 9 users?').waitFor()
  await dialog().getByRole('button', { name: 'Delete users' }).click()
  await page.getByText('9 users deleted').first().waitFor()
  await page.getByText('No user found').waitFor()
  await page.getByRole('button', { name: 'Clear filters' }).click()
  await page.getByText('113 users').waitFor()
})

step('from the panel of one user one goes to the next and back', async () => {
  await bench.go('auth/users')
  const openAt = (row: number) => table().getByRole('row').nth(row).getByRole('button').first()
  const [first, second] = [await openAt(1).innerText(), await openAt(2).innerText()]
  await openAt(1).press('Enter')
  const title = () => panel().getByRole('heading').first().innerText()
  await expect.poll(title).toBe(first)
  const above = panel().getByRole('button', { name: 'Previous user' })
  await expect.poll(() => above.getAttribute('aria-disabled')).toBe('true')
  await panel().getByRole('button', { name: 'Next user' }).click()
  await expect.poll(title).toBe(second)
  await above.click()
  await expect.poll(title).toBe(first)
  await page.keyboard.press('Escape')
  await panel().waitFor({ state: 'detached' })
})

step('the panel stands beside the list, and keys go through the users', async () => {
  const openAt = (row: number) => table().getByRole('row').nth(row).getByRole('button').first()
  const [first, second] = [await openAt(1).innerText(), await openAt(2).innerText()]
  await openAt(1).press('Enter')
  const title = () => panel().getByRole('heading').first().innerText()
  await expect.poll(title).toBe(first)
  // No dialog: the list stays in use, and nothing of it is covered.
  await expect.poll(() => page.getByRole('dialog').count()).toBe(0)
  const [list, beside] = [
    await table().locator('xpath=..').boundingBox(),
    await panel().boundingBox(),
  ]
  expect((list?.x ?? 0) + (list?.width ?? 0)).toBeLessThanOrEqual(beside?.x ?? 0)
  expect((beside?.x ?? 0) + (beside?.width ?? 0)).toBeLessThanOrEqual(1440)
  await expect.poll(() => openAt(1).getAttribute('aria-current')).toBe('true')
  const hasFocus = (row: number) => openAt(row).evaluate((it) => it === document.activeElement)
  await page.keyboard.press('ArrowDown')
  await expect.poll(title).toBe(second)
  expect(await hasFocus(2)).toBe(true)
  await eyes.look('auth-users-03-beside')
  await panel().getByRole('tab', { name: 'Raw JSON' }).click()
  await page.keyboard.press('Alt+ArrowUp')
  await expect.poll(title).toBe(first)
  // The tab stays.
  await panel().getByLabel('JSON', { exact: true }).getByText(first).first().waitFor()
  await page.keyboard.press('Escape')
  await panel().waitFor({ state: 'detached' })
  expect(await hasFocus(1)).toBe(true)
  await page.keyboard.press('ArrowDown')
  expect(await hasFocus(2)).toBe(true)
  await expect.poll(() => panel().count()).toBe(0)

  await page.setViewportSize({ width: 390, height: 844 })
  await openAt(1).click()
  await page.getByRole('dialog', { name: first }).waitFor()
  // It slides in.
  await expect
    .poll(async () => {
      const over = await panel().boundingBox()
      return [over?.x, over?.width].map((length = -1) => Math.round(length))
    })
    .toEqual([0, 390])
  await page.getByRole('dialog').getByRole('button', { name: 'Next user' }).click()
  await expect.poll(title).toBe(second)
  await page.keyboard.press('Escape')
  await panel().waitFor({ state: 'detached' })
  await page.setViewportSize({ width: 1440, height: 900 })
})

step('everything about a user stands in their panel', async () => {
  await bench.go('auth/users?q=mara')
  await table().getByRole('button', { name: 'mara@example.com' }).press('Enter')
  await panel().getByText('Identities').waitFor()
  await eyes.look('auth-users-04-panel')
  await panel()
    .getByRole('tab', { name: /Sessions/ })
    .click()
  await panel().getByText('A shop app').waitFor()
  await panel().getByRole('button', { name: 'End session' }).first().click()
  await said('Session ended')
  await panel().getByText('No sessions').waitFor()
  await panel().getByRole('tab', { name: 'Logs' }).click()
  await panel().getByText('Signed in', { exact: true }).first().waitFor()
  await eyes.look('auth-users-05-logs')
  await panel().getByRole('tab', { name: 'Raw JSON' }).click()
  await expect
    .poll(() => panel().getByLabel('JSON', { exact: true }).innerText())
    .toContain('"has_password": true')
})

step('metadata is checked before it is saved', async () => {
  await panel().getByRole('tab', { name: 'Overview' }).click()
  await panel().getByRole('button', { name: 'Edit user metadata' }).click()
  const field = panel().getByLabel('User metadata', { exact: true })
  await field.fill('{"tier": ')
  await panel().getByText('Metadata is a JSON object').waitFor()
  await field.fill('{"tier": "gold"}')
  await panel().getByRole('button', { name: 'Save' }).click()
  await said('User metadata saved')
  expect(
    await bench.sql(
      `select raw_user_meta_data as kept from auth.users where email = 'mara@example.com'`,
    ),
  ).toEqual([{ kept: { tier: 'gold' } }])
})

step('a banned user stays outside until the ban is lifted', async () => {
  await panel().getByRole('button', { name: 'Ban', exact: true }).click()
  await dialog().getByLabel('How long').fill('0')
  await dialog().getByText('A whole number from 1 on').waitFor()
  await dialog().getByLabel('How long').fill('2')
  await dialog().getByRole('button', { name: 'Ban user' }).click()
  await said('mara@example.com is banned')
  await panel().getByText('Banned until').waitFor()
  expect(await signIn('mara@example.com', 'correct horse 1')).toBe(400)
  await panel().getByRole('button', { name: 'Unban user' }).click()
  await said('Ban lifted')
  expect(await signIn('mara@example.com', 'correct horse 1')).toBe(200)
})

step('a link is sent, and the second one at once is refused in words', async () => {
  await panel().getByRole('button', { name: 'Magic link' }).click()
  await said('Magic link sent')
  await panel().getByRole('button', { name: 'Password recovery' }).click()
  await page
    .getByText(/you can only request this after/)
    .first()
    .waitFor()
  await panel().getByRole('button', { name: 'Delete user' }).click()
  await dialog().getByRole('button', { name: 'Delete user' }).click()
  await said('User deleted')
  await page.getByText('No user found').waitFor()
})

step('what happened is in the audit logs', async () => {
  await page.getByRole('link', { name: 'Audit logs' }).click()
  await heading('Audit logs')
  const logs = page.getByRole('table', { name: 'Audit logs' })
  await logs.getByText('Deleted a user').first().waitFor()
  await eyes.look('auth-users-06-audit')
  await page.getByLabel('User: full email, phone number or ID').fill('mara@example.com')
  await page.getByRole('button', { name: 'Find' }).click()
  await expect.poll(() => logs.locator('tbody tr').count()).toBeLessThan(6)
  await logs.getByRole('button', { name: 'Signed in' }).first().press('Enter')
  await panel().getByText('Open who did it').waitFor()
  await eyes.look('auth-users-07-entry')
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'Clear', exact: true }).click()
})

step('and in the overview, for as many days as one wants', async () => {
  await page.getByRole('link', { name: 'Overview', exact: true }).click()
  await page.getByRole('img', { name: /^Sign-ins per day/ }).waitFor()
  await page.getByText('Open sessions').waitFor()
  await eyes.look('auth-users-08-overview')
  await page.getByRole('button', { name: '30 days' }).click()
  await expect.poll(() => new URL(page.url()).searchParams.get('days')).toBe('30')
})

step('on a telephone nothing is wider than the window', async () => {
  await page.setViewportSize({ width: 390, height: 844 })
  for (const [below, name] of [
    ['auth/users', 'Users'],
    ['auth/audit-logs', 'Audit logs'],
    ['auth/overview', 'Overview'],
  ] as const) {
    await bench.go(below)
    await heading(name)
    await page.locator('.tbl tbody tr td, .users-plot canvas').first().waitFor()
    const width = await page.evaluate(() => document.documentElement.scrollWidth)
    expect([name, width]).toEqual([name, 390])
    await eyes.look(`auth-users-09-narrow-${name.replace(' ', '-')}`)
  }
  await bench.go('auth/users?q=reader007')
  await table().getByRole('button', { name: 'reader007@example.com' }).click()
  await panel().getByText('Identities').waitFor()
  await eyes.look('auth-users-10-narrow-panel')
  await page.setViewportSize({ width: 1440, height: 900 })
})

step('tables are looked at as a user', async () => {
  await bench.sql(`create table notes (id int primary key, body text);
    alter table notes enable row level security;
    create policy own on notes for select to authenticated using (auth.jwt() ->> 'email' = body);
    insert into notes values (1, 'reader007@example.com'), (2, 'reader008@example.com')`)
  const [table] = (await bench.sql(`select 'notes'::regclass::oid::int as id`)) as { id: number }[]
  await bench.go(`editor/${table?.id}`)
  await page.getByRole('button', { name: 'View as: postgres' }).waitFor()
  await bench.go('auth/users?user=00000000-0000-4000-8000-000000000007')
  await panel().getByRole('button', { name: 'View tables as this user' }).click()
  await page.getByRole('button', { name: 'View as: reader007@example.com' }).waitFor()
  await page.getByText('1 row', { exact: true }).waitFor()
})

step('of a paused project the page says that it is paused', async () => {
  await bench.ada.call('POST', `/platform/projects/${bench.ref}/pause`)
  await bench.go('auth/users')
  await page.getByText('Shop is paused').waitFor()
})

step('the browser complained about nothing', () => {
  expect(eyes.errors.filter((line) => !/status of (409|429|503)/.test(line))).toEqual([])
})
