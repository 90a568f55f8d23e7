import { sql } from 'kysely'
import { startBothPlanes } from './auth-config.ts'
import { runAsOwner } from './owner-sql.ts'
import type { Person } from './control-plane.ts'
import { newcomer } from './people.ts'

/** Both planes with members of each role that matters, and ways to ask as them. */
export async function startAuthUsers() {
  const planes = await startBothPlanes()
  const { plane, ada, ref } = planes
  const member = async (name: string, role: string): Promise<Person> => {
    const one = await newcomer(plane, name)
    await sql`insert into platform.members (organization_id, user_id, role)
      select id, ${one.userId}, ${role} from platform.organizations where slug = 'acme'`.execute(
      plane.db,
    )
    return one
  }
  const reader = await member('reader', 'Read-only')
  const developer = await member('developer', 'Developer')
  const stranger = await newcomer(plane, 'stranger')
  const base = `/platform/auth/${ref}`
  return {
    planes,
    ada,
    reader,
    developer,
    stranger,
    base,
    /** Runs SQL as the owner of the project's database. */
    sql: (query: string) => runAsOwner(planes.dataPlaneUrl, ref, query),
    /** A page of the list: ids or addresses in order, and what the answer says beside them. */
    async list(query: Record<string, string>, who = ada) {
      const answer = await who.call('GET', `${base}/users?${new URLSearchParams(query)}`)
      const users = (answer.body['users'] ?? []) as Record<string, unknown>[]
      const { next, capped } = answer.body as { next: string | null; capped: boolean }
      return { status: answer.status, users, next, capped, emails: users.map(({ email }) => email) }
    },
    async create(body: object, who = ada): Promise<string> {
      const answer = await who.call('POST', `${base}/users`, body)
      if (answer.status !== 201) throw new Error(JSON.stringify(answer.body))
      return String(answer.body['id'])
    },
  }
}
export type AuthUsersWorld = Awaited<ReturnType<typeof startAuthUsers>>
