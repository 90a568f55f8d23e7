import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'vitest'
import { openDatabase } from '#control-plane/database/database'
import { silentLog } from '#kit/log'
import { preparePostgres } from '#kit/postgres/runtime'
import type { Person } from './client.ts'
import type { Platform } from './platform.ts'

/** What the operator of a platform says about money, with the internal token. */
export const operatorOf =
  (platform: Platform, token: string) =>
  async (method: 'PUT' | 'POST', path: string, body: object = {}): Promise<void> => {
    const answer = await fetch(`${platform.url}/internal/billing/${path}`, {
      method,
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
    expect(answer.status).toBe(200)
  }

type InvoiceRow = { id: string; status: string; reason: string; total: number }

export async function invoicesOf(person: Person, slug: string): Promise<InvoiceRow[]> {
  const { body } = await person.call('GET', `/platform/organizations/${slug}/billing/invoices`)
  // What the endpoint answers with, by its contract.
  return body['invoices'] as InvoiceRow[]
}

/** `owner` invites `guest` to Acme, by default as a developer, who accepts by the link in the mail. */
export async function joinAcme(
  platform: Platform,
  owner: Person,
  guest: Person,
  email: string,
  roleName = 'Developer',
): Promise<void> {
  const { body } = await owner.call('GET', '/platform/organizations/acme/roles')
  // What the endpoint answers with, by its contract.
  const roles = body['org_scoped_roles'] as { id: number; name: string }[]
  const role = roles.find(({ name }) => name === roleName)
  const invitations = '/platform/organizations/acme/members/invitations'
  const made = await owner.call('POST', invitations, { email, role_id: role?.id })
  expect(made.status).toBe(201)
  let secret: string | undefined
  await expect
    .poll(
      async () => {
        const answer = await fetch(`${platform.url}/platform/mailbox?recipient=${email}`)
        // The same.
        const mails = (await answer.json()) as { text: string }[]
        const links = mails.map(({ text }) => /\/join\?token=([\w-]+)/.exec(text)?.[1])
        secret = links.find((found) => found !== undefined)
        return secret
      },
      { timeout: 20_000 },
    )
    .toBeDefined()
  expect((await guest.call('POST', `${invitations}/${secret ?? ''}`, {})).status).toBe(200)
}

/** As if the one open invoice of the platform had been due yesterday: what only time does. */
export async function makeOverdue(platform: Platform): Promise<void> {
  const runtime = await preparePostgres(platform.home)
  const { db } = openDatabase(
    {
      host: join(runtime.sockets, 'platform'),
      port: 5432,
      user: 'plinth',
      password: readFileSync(join(platform.home, 'platform-password'), 'utf8').trim(),
      database: 'plinth',
      max: 1,
    },
    silentLog,
  )
  try {
    const done = await db
      .updateTable('platform.invoices')
      .set({ due_at: new Date(Date.now() - 24 * 60 * 60 * 1000) })
      .where('status', '=', 'open')
      .executeTakeFirst()
    expect(done.numUpdatedRows).toBe(1n)
  } finally {
    await db.destroy()
  }
}
