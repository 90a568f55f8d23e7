import { z } from 'zod'
import { storageTrash as api, type TrashItem } from '#contract/storage/storage-trash'
import { ApiError } from '#kit/errors'
import { route, type DashboardRoute } from './dashboard-route.ts'
import { checkKey } from '../names.ts'
import { emptyTrash, purge, restore, trashOf } from '../trash/trash.ts'
import type { Trashed } from '../trash/trash-store.ts'

const Cursor = z.object({ moment: z.iso.datetime({ offset: true }), id: z.uuid() })
type Cursor = z.infer<typeof Cursor>

const taken = 'There is a file of this name by now; restore this one under another name'

export const ofTrash: DashboardRoute[] = [
  route(api.list, async ({ bucket, search, limit, cursor }, { storage }) => {
    const after = cursor === undefined ? undefined : cursorOf(cursor)
    const found = await trashOf(storage, { bucket, search, after, max: limit + 1 })
    const page = found.slice(0, limit)
    const last = page.at(-1)
    return {
      items: page.map(itemOf),
      next: found.length > limit && last ? textOf({ moment: last.moment, id: last.id }) : null,
      days: storage.trashDays,
    }
  }),
  route(api.restore, async ({ item: id, name }, { storage }) => {
    if (name !== undefined) checkKey(name)
    const [outcome] = await restore(storage, [{ id, name }])
    if (!outcome) throw new ApiError('trash_item_not_found')
    if (!outcome.back) throw new ApiError('name_taken', taken)
    return { bucket: outcome.bucket, name: outcome.name }
  }),
  route(api.restoreMany, async ({ ids }, { storage }) => {
    const requested = [...new Set(ids)]
    const outcomes = await restore(
      storage,
      requested.map((id) => ({ id })),
    )
    const byId = new Map(outcomes.map((one) => [one.id, one]))
    const errorOf = (id: string) => {
      const found = byId.get(id)
      if (found?.back) return null
      const { code, message } = found
        ? new ApiError('name_taken', taken)
        : new ApiError('trash_item_not_found')
      return { code, message }
    }
    return { results: requested.map((id) => ({ id, error: errorOf(id) })) }
  }),
  route(api.purge, async ({ ids }, { storage }) => ({ removed: await purge(storage, ids) })),
  route(api.empty, async ({ bucket }, { storage }) => ({
    removed: await emptyTrash(storage, bucket),
  })),
]

const textOf = (cursor: Cursor) => Buffer.from(JSON.stringify(cursor)).toString('base64url')

function cursorOf(text: string): Cursor {
  try {
    return Cursor.parse(JSON.parse(Buffer.from(text, 'base64url').toString()))
  } catch {
    throw new ApiError('invalid_input', 'cursor: is not valid for this list')
  }
}

function itemOf({ id, bucket, name, metadata, ...rest }: Trashed): TrashItem {
  // Rows can be written by hand.
  const { size, mimetype } = metadata ?? {}
  return {
    id,
    bucket,
    name,
    size: typeof size === 'number' ? size : null,
    type: typeof mimetype === 'string' ? mimetype : null,
    owner_id: rest.owner_id,
    deleted_at: rest.deleted_at,
    deleted_by: rest.deleted_by,
    expires_at: rest.expires_at,
  }
}
