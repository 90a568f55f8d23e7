import { badRange } from '../answers/problem.ts'

/** Which rows of a result are asked for; no limit means all. */
export type Page = { limit: number | undefined; offset: number }

/**
 * Joins `limit` and `offset` with the `Range` header: what both allow. Ranges count rows from 0, both ends included.
 * @throws Problem 416 when the header's end lies before its start.
 */
export function pageOf(
  limit: number | undefined,
  offset: number | undefined,
  rangeHeader: string | undefined,
): Page {
  const asked = fromFirst({ limit, offset: offset ?? 0 })
  const range = rangeHeader === undefined ? undefined : parseRange(rangeHeader)
  if (!range) return asked
  const first = Math.max(asked.offset, range.first)
  const last = Math.min(lastOf(asked), range.last)
  return { offset: first, limit: last === Infinity ? undefined : Math.max(last - first + 1, 0) }
}

/** Rows before the first are none: a page that begins there is as much shorter. @throws Problem 416 when it ends there too. */
function fromFirst({ limit, offset }: Page): Page {
  if (offset >= 0 || limit === 0) return { limit, offset: Math.max(offset, 0) }
  if (limit === undefined) return { limit, offset: 0 }
  if (limit + offset > 0) return { limit: limit + offset, offset: 0 }
  throw badRange('Limit should be greater than or equal to zero.')
}

const lastOf = ({ limit, offset }: Page) => (limit === undefined ? Infinity : offset + limit - 1)

function parseRange(header: string): { first: number; last: number } | undefined {
  const match = /^(?:items=)?(\d{1,15})-(\d{1,15})?$/.exec(header.trim())
  if (!match) return undefined
  const first = Number(match[1])
  const last = match[2] === undefined ? Infinity : Number(match[2])
  if (last >= first) return { first, last }
  throw badRange(
    'The lower boundary must be lower than or equal to the upper boundary in the Range header.',
  )
}

/** Cuts a page to the server's cap; Infinity is none. */
export const capped = ({ limit, offset }: Page, max: number | undefined): Page => ({
  offset,
  limit: max === undefined || max === Infinity ? limit : Math.min(limit ?? max, max),
})

/** `0-9/100`; a star for an empty page and for an unknown total. */
export function contentRange(offset: number, rows: number, total: number | undefined): string {
  const range = rows > 0 && total !== 0 ? `${offset}-${offset + rows - 1}` : '*'
  return `${range}/${total ?? '*'}`
}

/** 206 when more rows are known to exist than the page holds. @throws Problem 416 when it starts behind the last. */
export function pageStatus(offset: number, rows: number, total: number | undefined): 200 | 206 {
  if (total === undefined) return 200
  if (offset > total) {
    const words = `An offset of ${offset} was requested, but there are only ${total} rows.`
    throw badRange(words, { 'content-range': `*/${total}` })
  }
  return rows < total ? 206 : 200
}
