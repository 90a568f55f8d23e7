import { cursorOf, nodeIdOf } from './cursor.ts'
import type {
  ConnectionPlan,
  EdgeField,
  PageInfo,
  ReadPlan,
  ResponsePlan,
  RootPlan,
  RowPlan,
} from './plan.ts'

/** The name of a row's type, for the field whose value can be a row of any table. */
export const typeName = Symbol('typeName')
type Shaped = Record<string | symbol, unknown>
/** Without a prototype: an answer may call a field `__proto__`. */
const empty = (): Shaped => Object.create(null) as Shaped

/** The rows and pages as the statements make them. */
type Texts = (string | null)[]
type RowJson = Readonly<Record<string, unknown>>
type PageJson = {
  rows?: [place: Texts, ...rows: RowJson[]][]
  more?: boolean
  others?: boolean
  total?: number
}
type WrittenJson = { affected: number; records?: RowJson[][] | null }

/** What a statement has found, under the names that the answer gives it. */
export function shape(plan: RootPlan, found: unknown): unknown {
  switch (plan.kind) {
    case 'node':
      return shapeRow(plan.row, found as RowJson | null)
    case 'collection':
      return shapeConnection(plan.connection, found as PageJson)
    case 'call':
      return shapeRead(plan.read, found)
    case 'insert':
    case 'update':
    case 'delete':
      return shapeWritten(plan.response, found as WrittenJson)
    default:
      return plan satisfies never
  }
}

function shapeRead(read: ReadPlan, found: unknown): unknown {
  switch (read.kind) {
    case 'value':
      return found
    case 'row':
      return shapeRow(read.row, found as RowJson | null)
    case 'rows':
      return shapeConnection(read.connection, found as PageJson)
    default:
      return read satisfies never
  }
}

function shapeRow({ table, fields }: RowPlan, row: RowJson | null | undefined): Shaped | null {
  if (!row) return null
  const shaped = empty()
  shaped[typeName] = table.typeName
  for (const [i, field] of fields.entries()) {
    const value = row[`f${i}`]
    switch (field.kind) {
      case 'column':
        shaped[field.key] = value
        break
      case 'computed':
        shaped[field.key] = shapeRead(field.read, value)
        break
      case 'nodeId':
        shaped[field.key] = nodeIdOf(table, value as Texts)
        break
      case 'one':
        shaped[field.key] = shapeRow(field.row, value as RowJson | null)
        break
      case 'many':
        shaped[field.key] = shapeConnection(field.connection, value as PageJson)
        break
      default:
        field satisfies never
    }
  }
  return shaped
}

function shapeConnection(plan: ConnectionPlan, found: PageJson): Shaped {
  const { rows = [], total } = found
  const shaped = empty()
  for (const field of plan.fields) {
    switch (field.kind) {
      case 'totalCount':
        shaped[field.key] = total
        break
      case 'edges':
        shaped[field.key] = rows.map(([place, ...row]) => shapeEdge(plan, field.fields, place, row))
        break
      case 'pageInfo':
        shaped[field.key] = Object.fromEntries(
          field.fields.map(({ key, what }) => [key, aboutPage(plan, found, what)]),
        )
        break
      default:
        field satisfies never
    }
  }
  return shaped
}

function shapeEdge(
  { page, rows }: ConnectionPlan,
  fields: readonly EdgeField[],
  place: Texts,
  found: readonly RowJson[],
): Shaped {
  const shaped = empty()
  for (const field of fields) {
    if (field.kind === 'cursor') shaped[field.key] = cursorOf(page.order, place)
    else {
      const plan = rows[field.row]
      shaped[field.key] = plan ? shapeRow(plan, found[field.row]) : null
    }
  }
  return shaped
}

function aboutPage({ page }: ConnectionPlan, found: PageJson, what: PageInfo): unknown {
  const { rows = [], more = false, others = false } = found
  const cursorAt = (at: number) => {
    const place = rows.at(at)?.[0]
    return place ? cursorOf(page.order, place) : null
  }
  switch (what) {
    case 'hasNextPage':
      return page.backward ? others : more
    case 'hasPreviousPage':
      return page.backward ? more : others
    case 'startCursor':
      return cursorAt(0)
    case 'endCursor':
      return cursorAt(-1)
    default:
      return what satisfies never
  }
}

function shapeWritten({ fields, rows }: ResponsePlan, { affected, records }: WrittenJson): Shaped {
  const shaped = empty()
  for (const field of fields) {
    if (field.kind === 'affectedCount') shaped[field.key] = affected
    else {
      const plan = rows[field.row]
      shaped[field.key] = (records ?? []).map((record) =>
        plan ? shapeRow(plan, record[field.row]) : null,
      )
    }
  }
  return shaped
}
