import { randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import { roleNames, type RoleName } from '#contract/permissions'
import type { ProjectConnection } from '#contract/internal'
import { createLog } from '#kit/log'
import { createSafeFetch } from '#kit/network/safe-fetch'
import { createSecrets } from '#kit/secrets'
import { newProjectSecrets, projectIdentity } from '../projects/projects/keys.ts'
import { internalToken, startControlPlane, type Person } from './control-plane.ts'
import { newcomer, organizationOf } from './people.ts'
import { insertProject } from './victim.ts'

export const keyedRef = 'abcdefghijklmnopqrst'
export const otherRef = 'o'.repeat(20)

/** A control plane with a project of four members, and what a data plane would be told of it. */
export async function startKeyedPlane(dataPlaneUrl?: string) {
  const lines: string[] = []
  const log = createLog('test', 'debug', { write: (line) => void lines.push(line) })
  const secrets = createSecrets(randomBytes(32))
  const plane = await startControlPlane(log, dataPlaneUrl, {
    secrets,
    fetch: createSafeFetch({ allowLoopback: true }),
  })
  const ada = await newcomer(plane, 'ada')
  const { id: acme } = await organizationOf(ada, 'Acme')
  for (const ref of [keyedRef, otherRef]) {
    await insertProject(plane, acme, ref)
    const own = JSON.stringify(await newProjectSecrets(ref, 'password', new Date()))
    await plane.db
      .updateTable('platform.projects')
      .set({
        sealed_secrets: secrets.seal(own, projectIdentity(ref)),
        db_address: JSON.stringify({ host: '/nonexistent', port: 5432 }),
      })
      .where('ref', '=', ref)
      .execute()
  }
  const members = new Map<RoleName, Person>()
  for (const role of roleNames) {
    const member = await newcomer(plane, role.toLowerCase())
    await sql`insert into platform.members (organization_id, user_id, role)
      values (${acme}, ${member.userId}, ${role})`.execute(plane.db)
    members.set(role, member)
  }
  const stranger = await newcomer(plane, 'stranger')

  /** The last audit entry from before the test: they can only be added. */
  let seen = '0'
  return {
    plane,
    ada,
    stranger,
    /** Everything that was logged. */
    logged: () => lines.join(''),
    memberAs: (role: RoleName) => members.get(role) ?? ada,
    async served(ref = keyedRef): Promise<ProjectConnection> {
      const headers = { authorization: `Bearer ${internalToken}` }
      const answer = await plane.app.inject({ url: `/internal/projects/${ref}`, headers })
      return answer.json<ProjectConnection>()
    },
    /** Every row of a table as text. */
    async rows(table: 'signing_keys' | 'api_keys'): Promise<string> {
      const { rows } = await sql<{ row: string }>`
        select t::text as row from ${sql.table(`platform.${table}`)} t`.execute(plane.db)
      return rows.map(({ row }) => row).join('\n')
    },
    /** What the test has added to the audit log. */
    audited: (prefix: string) =>
      plane.db
        .selectFrom('platform.audit_entries')
        .select(['action', 'change', 'actor_email'])
        .where('action', 'like', `${prefix}.%`)
        .where('id', '>', seen)
        .orderBy('id')
        .execute(),
    /** Both projects as they began. */
    async reset(): Promise<void> {
      await sql`delete from platform.third_party_auths`.execute(plane.db)
      await sql`delete from platform.api_keys`.execute(plane.db)
      await sql`delete from platform.signing_keys where not is_legacy`.execute(plane.db)
      await sql`update platform.signing_keys set status = 'in_use'`.execute(plane.db)
      await sql`update platform.projects set legacy_keys_disabled_at = null`.execute(plane.db)
      const entries = await sql<{ last: string }>`
        select coalesce(max(id), 0) as last from platform.audit_entries`.execute(plane.db)
      seen = entries.rows[0]?.last ?? '0'
    },
    end: () => plane.end(),
  }
}
export type KeyedPlane = Awaited<ReturnType<typeof startKeyedPlane>>
