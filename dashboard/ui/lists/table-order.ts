export type SortKey = string | number | boolean | null

export type Order = { column: string; descending: boolean }

/** Rows by one value each: numbers by size, text as people order it, what is missing last. Keeps the order of equals. */
export function ordered<Row>(
  rows: readonly Row[],
  by: (row: Row) => SortKey,
  descending: boolean,
): Row[] {
  const sign = descending ? -1 : 1
  return rows.toSorted((a, b) => {
    const [left, right] = [by(a), by(b)]
    if (left === null || right === null) return Number(left === null) - Number(right === null)
    if (typeof left === 'string' && typeof right === 'string')
      return sign * left.localeCompare(right, undefined, { numeric: true, sensitivity: 'base' })
    return sign * (Number(left) - Number(right))
  })
}

/** The order after a click on a head: first up, then down, then as the rows came. */
export function nextOrder(order: Order | undefined, column: string): Order | undefined {
  if (order?.column !== column) return { column, descending: false }
  return order.descending ? undefined : { column, descending: true }
}

export function pageOf<Row>(rows: readonly Row[], page: number, size: number) {
  const pages = Math.max(1, Math.ceil(rows.length / size))
  const at = Math.min(Math.max(0, page), pages - 1)
  return { rows: rows.slice(at * size, (at + 1) * size), page: at, pages }
}
