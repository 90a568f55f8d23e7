/** A column of a view and the column of the relation that its value comes from unchanged. */
export type Origin = {
  /** Position in the view, from 1. */
  column: number
  /** pg_class.oid of the relation, which may be a view itself. */
  table: number
  /** Its attnum there. */
  origin: number
}

/**
 * Where the columns of a view come from, read from `pg_rewrite.ev_action::text` of its rule `_RETURN`: Postgres writes
 * beside each entry of the outermost list of targets which column it is. Computed columns have no origin, nor have those of
 * a UNION.
 */
export function originsIn(rule: string): Origin[] {
  const found: Origin[] = []
  let depth = 0
  let inList = false
  let fields = new Map<string, string>()
  let field: string | undefined
  for (const token of tokensOf(rule)) {
    if (token === '(' || token === '{') {
      depth += 1
      if (inList && depth === entryDepth) fields = new Map()
      field = undefined
    } else if (token === ')' || token === '}') {
      if (inList && depth === entryDepth) found.push(...originOf(fields))
      depth -= 1
      if (inList && depth < listDepth) return found
    } else if (depth === queryDepth) inList = token === ':targetList'
    else if (inList && depth === entryDepth) {
      if (token.startsWith(':')) field = token
      else if (field !== undefined) {
        fields.set(field, token)
        field = undefined
      }
    }
  }
  return found
}

// `({QUERY ... :targetList ({TARGETENTRY ...} ...) ...})`: what is deeper belongs to expressions and queries within.
const queryDepth = 2
const listDepth = 3
const entryDepth = 4

function originOf(fields: ReadonlyMap<string, string>): Origin[] {
  const [column = 0, table = 0, origin = 0] = [':resno', ':resorigtbl', ':resorigcol'].map((name) =>
    Number(fields.get(name) ?? 0),
  )
  const isHidden = fields.get(':resjunk') === 'true'
  return table === 0 || isHidden ? [] : [{ column, table, origin }]
}

/** Brackets and words; a backslash takes what follows into the word. */
function* tokensOf(text: string): Generator<string> {
  const pattern = /[(){}]|(?:\\[\s\S]|[^\s(){}\\])+/g
  for (const [token] of text.matchAll(pattern)) yield token
}

/** Each view's columns with the column of the table they come from, through views over views. */
export function tableOrigins(views: ReadonlyMap<number, readonly Origin[]>): Map<number, Origin[]> {
  const known = new Map<number, Origin[]>()
  const resolve = (view: number): Origin[] => {
    const before = known.get(view)
    if (before) return before
    // A view cannot be made of itself; if a catalogue says so, it ends here.
    known.set(view, [])
    const made = (views.get(view) ?? []).flatMap((one) =>
      views.has(one.table)
        ? resolve(one.table)
            .filter((inner) => inner.column === one.origin)
            .map(({ table, origin }) => ({ column: one.column, table, origin }))
        : [one],
    )
    known.set(view, made)
    return made
  }
  for (const view of views.keys()) resolve(view)
  return known
}

/** Every way to see these columns of a table in a view: lists of the view's columns, in the order of `columns`. */
export function waysToSee(
  origins: readonly Origin[],
  table: number,
  columns: readonly number[],
): number[][] {
  let ways: number[][] = [[]]
  for (const column of columns) {
    const here = origins.filter((one) => one.table === table && one.origin === column)
    ways = ways.flatMap((way) => here.map((one) => [...way, one.column]))
  }
  return ways
}
