import { expect } from 'vitest'
import type { Account, Person } from './client.ts'
import { withPlatformDatabase } from './platform-database.ts'
import type { Place } from './platform.ts'

type InvoiceRow = { id: string; status: string; reason: string; total: number }

export async function invoicesOf(person: Person, slug: string): Promise<InvoiceRow[]> {
  const { body } = await person.call('GET', `/platform/organizations/${slug}/billing/invoices`)
  // What the endpoint answers with, by its contract.
  return body['invoices'] as InvoiceRow[]
}

/** `owner` invites `guest` to the organization, by default as a developer, who accepts by the link in the mail. */
export async function join(
  platform: Place,
  slug: string,
  owner: Person,
  guest: Account,
  roleName = 'Developer',
): Promise<void> {
  const { body } = await owner.call('GET', `/platform/organizations/${slug}/roles`)
  // What the endpoint answers with, by its contract.
  const roles = body['org_scoped_roles'] as { id: number; name: string }[]
  const role = roles.find(({ name }) => name === roleName)
  const invitations = `/platform/organizations/${slug}/members/invitations`
  const made = await owner.call('POST', invitations, { email: guest.email, role_id: role?.id })
  expect(made.status).toBe(201)
  let secret: string | undefined
  await expect
    .poll(
      async () => {
        const answer = await fetch(`${platform.url}/platform/mailbox?recipient=${guest.email}`)
        // The same.
        const mails = (await answer.json()) as { text: string }[]
        const links = mails.map(({ text }) => /\/join\?token=([\w-]+)/.exec(text)?.[1])
        secret = links.find((found) => found !== undefined)
        return secret
      },
      { timeout: 60_000 },
    )
    .toBeDefined()
  expect((await guest.call('POST', `${invitations}/${secret ?? ''}`, {})).status).toBe(200)
}

/** As if the one open invoice of an organization had been due yesterday: what only time does. */
export async function makeOverdue(platform: Place, slug: string): Promise<void> {
  const done = await withPlatformDatabase(platform, (db) =>
    db
      .updateTable('platform.invoices')
      .set({ due_at: new Date(Date.now() - 24 * 60 * 60 * 1000) })
      .where('status', '=', 'open')
      .where('organization_id', '=', (of) =>
        of.selectFrom('platform.organizations').select('id').where('slug', '=', slug),
      )
      .executeTakeFirst(),
  )
  expect(done.numUpdatedRows).toBe(1n)
}
