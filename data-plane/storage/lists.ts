import type { z } from 'zod'
import { rowsOf } from './access.ts'
import { invalidRequest } from './errors.ts'
import type { ListLevel, ListV2 } from './input.ts'
import {
  listByMoment,
  listLevel,
  listLevelBy,
  listLevelByMoment,
  type Listed,
} from './list-store.ts'
import type { Storage } from './transfer/uploads.ts'

const operation = 'storage.object.list'

/** One level of a bucket. Names are those below the prefix. */
export async function listObjects(
  { access }: Storage,
  bucket: string,
  ask: z.infer<typeof ListLevel>,
): Promise<Listed[]> {
  const prefix = ask.prefix === '' || ask.prefix.endsWith('/') ? ask.prefix : `${ask.prefix}/`
  const { column = 'name', order = 'asc' } = ask.sortBy ?? {}
  const common = {
    bucket,
    prefix,
    descending: order === 'desc',
    max: ask.limit,
    offset: ask.offset,
  }
  const statement =
    column === 'name' && !ask.search
      ? listLevel({ ...common, delimiter: '/', after: '', onlyInside: true })
      : listLevelBy({ ...common, column, beginning: ask.search ?? '' })
  const [rows] = await access.asCaller({ operation, statements: [statement] })
  return rowsOf<Listed>(rows).map((one) => ({
    ...one,
    name: one.name.slice(prefix.length).replace(/\/$/, ''),
  }))
}

type Cursor = { name: string; moment?: string }

/** A page of a bucket with full names; what it goes on with is opaque and stays good while objects come and go. */
export async function listObjectsV2(
  { access }: Storage,
  bucket: string,
  ask: z.infer<typeof ListV2>,
) {
  const { prefix, limit, with_delimiter: inLevels } = ask
  const { column = 'name', order = 'asc' } = ask.sortBy ?? {}
  const descending = order === 'desc'
  const after = ask.cursor ? readCursor(ask.cursor) : undefined
  const common = { bucket, prefix, descending, max: limit + 1 }
  const statement = statementOf()
  function statementOf() {
    if (column === 'name')
      return listLevel({ ...common, delimiter: inLevels ? '/' : '', after: after?.name ?? '' })
    if (inLevels)
      return listLevelByMoment({
        ...common,
        column,
        after: after && { name: after.name, moment: after.moment },
      })
    if (after && after.moment === undefined) throw badCursor()
    const behind = after && { name: after.name, moment: after.moment ?? '' }
    return listByMoment({ ...common, column, after: behind })
  }
  const [rows] = await access.asCaller({ operation, statements: [statement] })
  const found = rowsOf<Listed>(rows)
  const page = found.slice(0, limit)
  const last = page.at(-1)
  const hasNext = found.length > limit && last !== undefined
  return {
    hasNext,
    ...(hasNext && {
      nextCursor: writeCursor(last.name, rows?.[page.length - 1]?.[1]),
      nextCursorKey: last.name,
    }),
    folders: page
      .filter((one) => one.id === null)
      .map(({ name }) => ({ name, key: name.replace(/\/$/, '') })),
    objects: page
      .filter((one) => one.id !== null)
      .map((one) => (inLevels ? { ...one, key: one.name } : one)),
  }
}

function writeCursor(name: string, moment: string | null | undefined): string {
  return Buffer.from(JSON.stringify({ name, ...(moment && { moment }) })).toString('base64url')
}

const badCursor = () => invalidRequest('The cursor is not one of this list')

function readCursor(text: string): Cursor {
  let value: unknown
  try {
    value = JSON.parse(Buffer.from(text, 'base64url').toString())
  } catch {
    throw badCursor()
  }
  const { name, moment } = Object(value) as { name?: unknown; moment?: unknown }
  const isMoment = typeof moment === 'string' && /^[\d:T .+-]{10,40}$/.test(moment)
  if (typeof name !== 'string' || name.includes('\0')) throw badCursor()
  if (moment !== undefined && !isMoment) throw badCursor()
  return isMoment ? { name, moment } : { name }
}
