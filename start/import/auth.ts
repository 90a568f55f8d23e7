import { refusalOf } from './apply.ts'
import {
  authTables,
  columnsOf,
  copyIntoStaging,
  copyOutOf,
  countOf,
  makeStaging,
  mapped,
  takeStaged,
  unknownHashes,
  type AuthTable,
} from './auth-store.ts'
import { copyRows, openCopies, type Copies } from './copies.ts'
import { withoutTriggers } from './data-store.ts'
import type { LeftOut } from './report.ts'
import type { Base, Run } from './parts.ts'
import { inTransaction } from './state-store.ts'

const kinds: Readonly<Record<string, string>> = {
  users: 'user',
  identities: 'identity',
  mfa_factors: 'second factor',
  sso_providers: 'single sign-on provider',
  sso_domains: 'single sign-on domain',
  saml_providers: 'SAML provider',
}
export const kindOf = ({ name }: AuthTable) => kinds[name] ?? name

/** Users with the hashes of their passwords, and what else belongs to them. */
export async function importAuth(run: Run): Promise<void> {
  const { source, report, isRehearsal } = run
  if ((await columnsOf(source, 'users')).length === 0) {
    report.leave('auth', 'user', 'auth.users', 'the source lets nobody read it with this login')
    return
  }
  const copies = await openCopies(run)
  try {
    for (const table of authTables) {
      const found = await countOf(source, table.name, table.where)
      if (found === 0) continue
      report.count('auth', kindOf(table), { found })
      if (!isRehearsal) await importTable(run, copies, table, found)
    }
  } finally {
    await copies.end()
  }
  await reportRest(run)
}

async function importTable(
  run: Run,
  copies: Copies,
  table: AuthTable,
  found: number,
): Promise<void> {
  const { source, target, state, report, notify } = run
  const kind = kindOf(table)
  const known = await state.find('auth', table.name)
  if (known) return report.count('auth', kind, { before: Number(known['rows'] ?? 0) })
  const here = await columnsOf(target, table.name)
  const map = mapped(table, await columnsOf(source, table.name), here)
  try {
    const { taken, left } = await inTransaction(target, async () => {
      await target.query(withoutTriggers)
      await makeStaging(target, table)
      await copyRows(copies.session(), copyOutOf(map), target, copyIntoStaging(map))
      const all = await takeAll(run, table, map)
      await state.note('auth', table.name, {
        rows: all.taken,
        ...(all.left.length > 0 && { left: all.left }),
      })
      return all
    })
    report.count('auth', kind, { imported: taken })
    report.leaveAll(left)
    notify(`auth: ${found} of ${kind}`)
  } catch (error) {
    report.leave('auth', kind, `auth.${table.name}`, refusalOf(error).reason)
    await copies.renew()
  }
}

/** From the staging table, in the transaction that has made it. */
export async function takeAll(
  { target }: Base,
  table: AuthTable,
  map: { columns: string[]; select: string },
): Promise<{ taken: number; left: LeftOut[] }> {
  const left: LeftOut[] = []
  if (table.name === 'users' && map.columns.includes('encrypted_password')) {
    const unknown = await unknownHashes(target)
    const reason = 'its hash is not bcrypt, which is verified here: they reset it'
    if (unknown > 0)
      left.push({ part: 'auth', kind: 'password', name: `of ${unknown} users`, reason })
  }
  const { taken, refused } = await takeStaged(target, table, map)
  const reason = 'another one here has its address, its name or no user'
  for (const name of refused) left.push({ part: 'auth', kind: kindOf(table), name, reason })
  return { taken, left }
}

/** What stays behind, because it opens nothing here or is sealed elsewhere. */
async function reportRest({ source, report }: Run): Promise<void> {
  const rest = [
    [
      'mfa_factors',
      `s.factor_type::text = 'totp' and s.status::text = 'verified'`,
      'authenticator app',
      'its secret is sealed for each installation: until its user enrolls it again, the account has no second factor',
    ],
    [
      'mfa_factors',
      `s.factor_type::text = 'webauthn'`,
      'security key',
      'it belongs to the address of the source: its user enrolls it again',
    ],
    [
      'webauthn_credentials',
      'true',
      'passkey',
      'it belongs to the address of the source: its user adds it again',
    ],
    ['oauth_clients', 'true', 'OAuth app', 'apps are registered again, with secrets of their own'],
    ['custom_oauth_providers', 'true', 'custom provider', 'its secret is sealed: add it again'],
  ] as const
  for (const [table, where, kind, reason] of rest) {
    const count = await countOf(source, table, where)
    if (count > 0) report.leave('auth', kind, `${count} of auth.${table}`, reason)
  }
  report.advise('people sign in again: sessions are not taken along, passwords are')
  report.advise(
    'set the sign-in settings here (site address, redirect addresses, providers with their secrets, mail server, templates), and the callback address at each provider',
  )
}
