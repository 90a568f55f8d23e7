import { Writable } from 'node:stream'
import { pino } from 'pino'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { invitationsPerDay } from '#contract/organizations/invitations'
import type { Person, TestControlPlane } from '../../testing/control-plane.ts'
import { newcomer } from '../../testing/people.ts'
import { projectIn, refused, startTeam, type Team, tokenSentTo } from '../../testing/members.ts'

let team: Team
let plane: TestControlPlane
let owner: Person
let stranger: Person
let books: string
let log = ''

const base = '/platform/organizations/acme/members/invitations'
const notFound = refused(404, 'invitation_not_found')

beforeAll(async () => {
  const sink = new Writable({
    write(chunk, _, done) {
      log += String(chunk)
      done()
    },
  })
  team = await startTeam(pino({ level: 'trace' }, sink))
  ;({ plane, owner, stranger, books } = team)
  await team.reset()
})
afterAll(() => plane.end())

const invite = (who: Person, email: string, more: object = {}) =>
  who.call('POST', base, { email, role_id: 3, ...more })
const accept = (who: Person, token: string) => who.call('POST', `${base}/${token}`)
const open = (token: string) => plane.app.inject({ url: `${base}/${token}` })

test('after 24 hours it is over, until it is sent again or anew', async () => {
  const made = await invite(owner, 'fay@example.com')
  const token = await tokenSentTo(plane, 'fay@example.com')
  const end = Date.parse(String(made.body['expires_at']))
  expect(end - Date.parse(String(made.body['invited_at']))).toBeGreaterThan(24 * 3600e3 - 60_000)
  expect(end - Date.parse(String(made.body['invited_at']))).toBeLessThan(24 * 3600e3 + 60_000)
  await plane.db
    .updateTable('platform.invitations')
    .set({ expires_at: new Date(Date.now() - 1000) })
    .where('email', '=', 'fay@example.com')
    .execute()
  const fay = await newcomer(plane, 'fay')
  expect(await accept(fay, token)).toMatchObject(refused(410, 'invitation_expired'))
  expect((await open(token)).statusCode).toBe(410)
  const list = await owner.call('GET', base)
  expect(list.body['invitations']).toContainEqual(
    expect.objectContaining({ invited_email: 'fay@example.com', expired: true }),
  )
  expect((await invite(owner, 'fay@example.com')).status).toBe(201)
  expect((await accept(fay, await tokenSentTo(plane, 'fay@example.com', 2))).status).toBe(200)
})

test('an invitation to single projects gives these, and dies with the last of them', async () => {
  const gone = await projectIn(plane, 'acme', 'Gone')
  await invite(owner, 'gil@example.com', { role_id: 4, role_scoped_projects: [books, gone] })
  await invite(owner, 'hal@example.com', { role_scoped_projects: [gone] })
  await plane.db
    .updateTable('platform.projects')
    .set({ status: 'REMOVED' })
    .where('ref', '=', gone)
    .execute()
  const gil = await newcomer(plane, 'gil')
  expect((await accept(gil, await tokenSentTo(plane, 'gil@example.com'))).status).toBe(200)
  const seen = await gil.call('GET', '/platform/projects')
  expect(seen.body['projects']).toMatchObject([{ ref: books }])
  const hal = await newcomer(plane, 'hal')
  expect(await accept(hal, await tokenSentTo(plane, 'hal@example.com'))).toMatchObject(notFound)
})

test('the token stands in the mail alone: not in tables, audit log or log', async () => {
  await invite(owner, 'ida@example.com')
  const token = await tokenSentTo(plane, 'ida@example.com')
  await open(token)
  await accept(stranger, token)
  const again = await invite(owner, 'jan@example.com')
  await owner.call('POST', `${base}/${Number(again.body['id'])}/resend`)
  await owner.call('DELETE', `${base}/${Number(again.body['id'])}`)
  await accept(await newcomer(plane, 'ida'), token)
  expect(log).not.toContain(token)
  for (const table of [
    'platform.invitations',
    'platform.audit_entries',
    'platform.outgoing_mails',
    'platform.jobs',
  ] as const) {
    const rows = await plane.db.selectFrom(table).selectAll().execute()
    expect(rows.length, table).toBeGreaterThan(0)
    expect(JSON.stringify(rows), table).not.toContain(token)
  }
  const actions = await plane.db
    .selectFrom('platform.audit_entries')
    .select('action')
    .where('action', 'like', 'invitations.%')
    .execute()
  expect(new Set(actions.map(({ action }) => action))).toEqual(
    new Set([
      'invitations.create',
      'invitations.resend',
      'invitations.revoke',
      'invitations.accept',
    ]),
  )
})

test('an organization cannot be used to write to many strangers', async () => {
  const { id } = await plane.db
    .selectFrom('platform.organizations')
    .select('id')
    .where('slug', '=', 'acme')
    .executeTakeFirstOrThrow()
  await plane.db
    .insertInto('platform.invitation_mails')
    .values(Array.from({ length: invitationsPerDay }, () => ({ organization_id: id })))
    .execute()
  expect(await invite(owner, 'many@example.com')).toMatchObject(refused(429, 'invitation_limit'))
  const left = await plane.db
    .selectFrom('platform.invitations')
    .select('id')
    .where('email', '=', 'many@example.com')
    .execute()
  expect(left).toEqual([])
  await plane.db
    .updateTable('platform.invitation_mails')
    .set({ sent_at: new Date(Date.now() - 25 * 3600e3) })
    .execute()
  expect((await invite(owner, 'many@example.com')).status).toBe(201)
})
