import type { Caller } from '../tenant.ts'

export type Paged = { path: string; page: number; perPage: number; total: number }

/** RFC 8288; clients read the page number as the first value of each address. */
export function pageLinks(
  { tenant }: Pick<Caller, 'tenant'>,
  { path, page, perPage, total }: Paged,
): string {
  const last = Math.max(1, Math.ceil(total / perPage))
  const link = (to: number, rel: string) =>
    `<${tenant.externalUrl}${path}?page=${to}&per_page=${perPage}>; rel="${rel}"`
  return [
    ...(page > 1 ? [link(1, 'first'), link(Math.min(page - 1, last), 'prev')] : []),
    ...(page < last ? [link(page + 1, 'next')] : []),
    link(last, 'last'),
  ].join(', ')
}
