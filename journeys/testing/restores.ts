import type { Page } from 'playwright-core'
import { expect } from 'vitest'
import { runSql } from './client.ts'
import type { Workbench } from './workbench.ts'

/** A copy of a whole server, or its replay, on a machine that does other things besides. */
export const patient = { timeout: 90_000, interval: 500 }

export const ordersTable = `create table public.orders (what text primary key);
  insert into public.orders values ('bread'), ('tea')`

/** What has been ordered, in the project of the workbench or in another one. */
export async function orders({ ada, ref }: Workbench, of = ref): Promise<string[]> {
  const rows = await runSql(ada, of, 'select what from public.orders order by what')
  // The rows of a query that asks for one column of text.
  return (rows as { what: string }[]).map(({ what }) => what)
}

/** Types the name of the project into the dialog that asks for it, and sends it by Enter. */
export async function confirmRestore(page: Page): Promise<void> {
  const dialog = page.getByRole('dialog').last()
  await expect
    .poll(() => dialog.getByRole('button', { name: 'Restore database' }).isDisabled())
    .toBe(true)
  await dialog.getByLabel('Type Shop to confirm').fill('Shop')
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: 'Restoring Shop' }).waitFor()
}

/** The project that the list of restores to new projects names so, once it is completed. */
export async function completedClone(page: Page, name: string): Promise<string> {
  const made = page.getByRole('table', { name: 'Restores to new projects' }).getByRole('row')
  const row = made.filter({ hasText: name })
  await row.getByText('Completed').waitFor(patient)
  const address = (await row.getByRole('link', { name }).getAttribute('href')) ?? ''
  return /\/project\/([a-z]{20})$/.exec(address)?.[1] ?? ''
}
