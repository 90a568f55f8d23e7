import { z } from 'zod'
import { folderMark, type FileEntry, type FileSort } from '#contract/storage/storage'
import { ApiError } from '#kit/errors'
import { rowsOf } from '../access.ts'
import { getBucket } from '../buckets.ts'
import { listLevel, listLevelBy, type Listed } from '../list-store.ts'
import type { Storage } from '../transfer/uploads.ts'

type Ask = {
  path: string
  limit: number
  cursor?: string | undefined
  sort: FileSort
  order: 'asc' | 'desc'
  search: string
}

/** Where a page ends: behind a name, or, of an order that looks at all of the folder, after so many lines. */
const Cursor = z.object({
  by: z.string(),
  after: z.string().optional(),
  skip: z.number().int().min(1).max(1_000_000_000).optional(),
})
type Cursor = z.infer<typeof Cursor>

const byOf = ({ sort, order, search, path }: Ask) => JSON.stringify([sort, order, search, path])

function cursorOf(ask: Ask): Cursor {
  if (!ask.cursor) return { by: byOf(ask) }
  const wrong = new ApiError('invalid_input', 'cursor: is not valid for this list')
  const text = Buffer.from(ask.cursor, 'base64url').toString()
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    throw wrong
  }
  const cursor = Cursor.safeParse(value)
  if (!cursor.success || cursor.data.by !== byOf(ask) || text.includes(String.raw`\u0000`)) {
    throw wrong
  }
  return cursor.data
}

export const folderPrefix = (path: string): string =>
  path === '' || path.endsWith('/') ? path : `${path}/`

/** A page of one folder, as the dashboard shows it. @throws StorageError for a bucket that is not there */
export async function listFolder(storage: Storage, bucket: string, ask: Ask) {
  await getBucket(storage, bucket)
  const { after = '', skip = 0, by } = cursorOf(ask)
  const prefix = folderPrefix(ask.path)
  const common = { bucket, prefix, descending: ask.order === 'desc', max: ask.limit + 1 }
  const jumps = ask.sort === 'name' && ask.search === ''
  const statement = jumps
    ? listLevel({ ...common, delimiter: '/', after, onlyInside: true })
    : listLevelBy({ ...common, column: ask.sort, beginning: ask.search, offset: skip })
  const [rows] = await storage.access.asCaller({
    operation: 'storage.object.list',
    statements: [statement],
  })
  const found = rowsOf<Listed>(rows)
  const page = found.slice(0, ask.limit)
  const last = page.at(-1)
  const goesOn = found.length > ask.limit && last
  const next: Cursor = jumps ? { by, after: last?.name } : { by, skip: skip + page.length }
  return {
    entries: page.map((one) => entryOf(one, prefix)).filter(({ name }) => name !== folderMark),
    next: goesOn ? Buffer.from(JSON.stringify(next)).toString('base64url') : null,
  }
}

function entryOf({ metadata, ...one }: Listed, prefix: string): FileEntry {
  // Rows can be written by hand.
  const { size, mimetype } = metadata ?? {}
  return {
    name: one.name.slice(prefix.length).replace(/\/$/, ''),
    id: one.id,
    size: typeof size === 'number' ? size : null,
    type: typeof mimetype === 'string' ? mimetype : null,
    created_at: one.created_at,
    updated_at: one.updated_at,
    last_accessed_at: one.last_accessed_at,
  }
}
