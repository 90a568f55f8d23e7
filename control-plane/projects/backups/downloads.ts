import { ApiError } from '#kit/errors'
import type { Caller, Origin } from '#kit/http'
import type { Secrets } from '#kit/secrets'
import type { RecordChange } from '../../organizations/audit/audit.ts'
import type { BackupList } from './backups.ts'
import type { Keeping } from './compute.ts'
import { shapeBackup } from './shape.ts'
import type { BackupStore } from './store.ts'
import type { Subjects } from './subjects.ts'

type Deps = {
  store: BackupStore
  subjects: Subjects
  completed: BackupList['completed']
  keeping: Keeping | undefined
  secrets: Secrets
  record: RecordChange
  /** The dashboard's own address, without a slash at its end. */
  url: string
  now: () => Date
}

const hour = 3_600_000
const noFiles =
  'Backups of this installation are kept in a bucket in many parts, and cannot be downloaded as a file'
const identity = (ref: string, id: number) => `backup file ${ref} ${id}`

/** Files of backups, by addresses that open them for an hour without a sign-in: so a browser can save gigabytes. */
export function createDownloads(deps: Deps) {
  const { store, completed, secrets, now } = deps
  const { subjectOf } = deps.subjects

  /** @throws ApiError unless this token was given for this file, less than an hour ago */
  function checkToken(ref: string, id: number, token: string): void {
    const refusal = new ApiError('not_allowed', 'This link is no longer valid. Request a new one')
    let until: number
    try {
      until = Number(secrets.open(token, identity(ref, id)))
    } catch {
      throw refusal
    }
    if (!(now().getTime() < until)) throw refusal
  }

  return {
    async downloadable(ref: string) {
      const rows = await store.list((await subjectOf(ref)).id)
      const found = deps.keeping?.read ? rows.filter(({ status }) => status === 'COMPLETED') : []
      return {
        backups: found.map(shapeBackup),
        status: found.length > 0 ? ('ok' as const) : ('no-backups' as const),
      }
    },

    async addressOf(caller: Caller, ref: string, id: number, origin: Origin) {
      const subject = await subjectOf(ref)
      await completed(subject, id)
      if (deps.keeping && !deps.keeping.read) throw new ApiError('platform_only', noFiles)
      await store.transaction((tx) =>
        deps.record(tx, {
          organizationId: subject.organization_id,
          actor: caller,
          action: 'backups.download',
          target: `project:${ref}`,
          change: { after: { backup: id } },
          origin,
        }),
      )
      const token = secrets.seal(String(now().getTime() + hour), identity(ref, id))
      return {
        fileUrl: `${deps.url}/platform/database/${ref}/backups/${id}/file?token=${token}`,
      }
    },

    async file(ref: string, id: number, token: string) {
      checkToken(ref, id, token)
      const subject = await subjectOf(ref)
      const { taken_at } = await completed(subject, id)
      if (!deps.keeping?.read) throw new ApiError('backup_not_found')
      // Header values are Latin-1, and a name may have anything in it.
      const plain = subject.name.replaceAll(/[^\w. -]+/g, '').trim() || ref
      const at = taken_at.toISOString().slice(0, 16).replaceAll(/[T:]/g, '-')
      return {
        ...(await deps.keeping.read({ ref, id: String(id) })),
        name: `${plain}-${at}.tar.gz`,
      }
    },
  }
}
export type Downloads = ReturnType<typeof createDownloads>
