import { ApiError } from '#kit/errors'
import { isUuid } from '#kit/ids'
import { listAuditLines, type AuditPage } from './audit-list-store.ts'
import { inTransaction } from '../store.ts'
import type { AuthTenant } from '../tenant.ts'
import { limitTime } from './user-list-store.ts'

const patienceMs = 20_000

type Asked = Omit<AuditPage, 'after'> & { cursor?: string | undefined }

/** A page of audit entries as JSON text. */
export async function auditListJson({ pool }: AuthTenant, asked: Asked): Promise<string> {
  const after = asked.cursor === undefined ? undefined : placeOf(asked.cursor)
  const found = await inTransaction(pool, async (tx) => {
    await limitTime(tx, patienceMs)
    return listAuditLines(tx, { ...asked, after })
  })
  const lines = found.slice(0, asked.limit)
  const last = lines.at(-1)
  const next = found.length > lines.length && last ? `${last.id} ${last.at}` : null
  const entries = lines.map(({ line }) => line).join(',')
  const since = asked.since.toISOString()
  return `{"entries":[${entries}],"next":${JSON.stringify(next)},"since":${JSON.stringify(since)}}`
}

function placeOf(cursor: string): [at: string, id: string] {
  const [, id, at] = /^([0-9a-f-]{36}) (\d[\d :.+-]{8,40})$/.exec(cursor) ?? []
  if (id === undefined || at === undefined || !isUuid(id) || Number.isNaN(Date.parse(at))) {
    throw new ApiError('invalid_input', 'The cursor belongs to a different list')
  }
  return [at, id]
}
