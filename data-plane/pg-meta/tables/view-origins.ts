/** The column of a table (or view) that a column of a view shows as it is. */
export type Origin = { table: number; column: number }

/** A brace that opens or closes a node, or what a column of the result says of itself; a backslash takes the next sign's meaning. */
const mark =
  /\\.|\{|\}|:resno (\d+) :resname (?:\\.|[^\s\\])* :ressortgroupref \d+ :resorigtbl (\d+) :resorigcol (\d+)/gs

/**
 * Where the columns of a view come from, by their places from 1: Postgres keeps that in the rule which makes the view. Its
 * queries inside of others have columns too, which lie deeper than the two nodes of the view's own.
 */
export function originsOf(action: string): Map<number, Origin> {
  const origins = new Map<number, Origin>()
  let depth = 0
  for (const [found, place, table, column] of action.matchAll(mark)) {
    if (found === '{') depth += 1
    else if (found === '}') depth -= 1
    else if (place !== undefined && depth === 2 && Number(table) > 0)
      origins.set(Number(place), { table: Number(table), column: Number(column) })
  }
  return origins
}
