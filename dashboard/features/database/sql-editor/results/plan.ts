import type { StatementRun } from '../running/run-state.ts'
import { textOf } from './result-export.ts'

/** One step of a plan as it is shown. Times are milliseconds over all loops; `share` is its own part of the whole, 0 to 1. */
export type PlanNode = {
  id: string
  depth: number
  type: string
  /** What it reads or does, as `books b using books_pkey`. */
  about: string
  cost: number
  ownCost: number
  rows: number
  /** Only what really ran has these. */
  actualRows: number | undefined
  loops: number
  ms: number | undefined
  ownMs: number | undefined
  share: number
  isExpensive: boolean
  /** How many times more (or fewer) rows came than the planner thought, when it is ten or more. */
  misjudged: number | undefined
  details: readonly [name: string, value: string][]
}

export type Plan = {
  nodes: readonly PlanNode[]
  planningMs: number | undefined
  executionMs: number | undefined
  cost: number
  triggers: readonly { name: string; ms: number; calls: number }[]
}

type Json = Readonly<Record<string, unknown>>
const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
const stringOf = (value: unknown) => (typeof value === 'string' ? value : '')
const numberOf = (value: unknown) => (typeof value === 'number' ? value : undefined)
const objectsOf = (value: unknown) => (Array.isArray(value) ? value.filter(isObject) : [])

/** From so large a part of the whole on a step is marked. */
const expensiveFrom = 0.2
const misjudgedFrom = 10

/** The plan in what EXPLAIN (FORMAT JSON) prints; undefined for anything else. */
export function readPlan(text: string): Plan | undefined {
  const [first] = objectsOf(parsed(text))
  const root = first?.['Plan']
  if (!first || !isObject(root)) return undefined
  const nodes: PlanNode[] = []
  const cost = numberOf(root['Total Cost']) ?? 0
  const total = numberOf(root['Actual Total Time']) ?? 0
  add(root, 0, '0', { cost, ms: total * (numberOf(root['Actual Loops']) ?? 1) }, nodes)
  return {
    nodes,
    cost,
    planningMs: numberOf(first['Planning Time']),
    executionMs: numberOf(first['Execution Time']),
    triggers: objectsOf(first['Triggers']).map((trigger) => ({
      name: stringOf(trigger['Trigger Name']) || 'trigger',
      ms: numberOf(trigger['Time']) ?? 0,
      calls: numberOf(trigger['Calls']) ?? 0,
    })),
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function add(
  node: Json,
  depth: number,
  id: string,
  whole: { cost: number; ms: number },
  into: PlanNode[],
): void {
  const children = objectsOf(node['Plans'])
  const cost = numberOf(node['Total Cost']) ?? 0
  const loops = numberOf(node['Actual Loops']) ?? 1
  const ms = msOf(node)
  const ownCost = Math.max(
    0,
    cost - sum(children.map((child) => numberOf(child['Total Cost']) ?? 0)),
  )
  // Children that ran side by side take more time together than their parent: nothing is left for it then.
  const ownMs =
    ms === undefined ? undefined : Math.max(0, ms - sum(children.map((child) => msOf(child) ?? 0)))
  const share = ownMs === undefined ? part(ownCost, whole.cost) : part(ownMs, whole.ms)
  const rows = numberOf(node['Plan Rows']) ?? 0
  const actualRows = numberOf(node['Actual Rows'])
  into.push({
    id,
    depth,
    type: typeOf(node),
    about: aboutOf(node),
    cost,
    ownCost,
    rows,
    actualRows,
    loops,
    ms,
    ownMs,
    share,
    isExpensive: share >= expensiveFrom,
    misjudged: loops > 0 ? misjudgedBy(rows, actualRows) : undefined,
    details: detailsOf(node),
  })
  for (const [at, child] of children.entries()) add(child, depth + 1, `${id}.${at}`, whole, into)
}

const sum = (values: readonly number[]) => values.reduce((a, b) => a + b, 0)
const part = (own: number, whole: number) => (whole > 0 ? Math.min(1, own / whole) : 0)

/** Postgres tells the time of one loop. */
function msOf(node: Json): number | undefined {
  const once = numberOf(node['Actual Total Time'])
  return once === undefined ? undefined : once * (numberOf(node['Actual Loops']) ?? 1)
}

function misjudgedBy(planned: number, actual: number | undefined): number | undefined {
  if (actual === undefined) return undefined
  const ratio = Math.max(planned, 1) / Math.max(actual, 1)
  const times = Math.max(ratio, 1 / ratio)
  return times >= misjudgedFrom ? times : undefined
}

function typeOf(node: Json): string {
  const type = stringOf(node['Node Type']) || 'Step'
  if (type === 'ModifyTable') return stringOf(node['Operation']) || type
  const join = node['Join Type']
  const isOther = typeof join === 'string' && join !== 'Inner'
  const kind = [
    node['Partial Mode'] === 'Partial' && 'Partial',
    node['Parallel Aware'] && 'Parallel',
  ]
  const before = kind.filter(Boolean).join(' ')
  return `${before ? `${before} ` : ''}${type}${isOther ? ` (${join})` : ''}`
}

function aboutOf(node: Json): string {
  const text = (name: string) => stringOf(node[name])
  const table = text('Relation Name') || text('CTE Name') || text('Function Name')
  const alias = text('Alias')
  const index = text('Index Name')
  const named = alias && alias !== table ? `${table} ${alias}`.trim() : table
  const schema = named && text('Schema') ? `${text('Schema')}.` : ''
  return [schema + named, index && `using ${index}`, text('Subplan Name')].filter(Boolean).join(' ')
}

/** What has been said elsewhere, or says nothing to anybody. */
const told = new Set(
  'Plans,Node Type,Relation Name,Schema,Alias,Index Name,CTE Name,Function Name,Subplan Name,Startup Cost,Total Cost,Plan Rows,Actual Startup Time,Actual Total Time,Actual Rows,Actual Loops,Parallel Aware,Async Capable,Parent Relationship,Disabled,Inner Unique,Workers,Partial Mode,Operation,Plan Width'.split(
    ',',
  ),
)

const detailsOf = (node: Json): [string, string][] =>
  Object.entries(node)
    .filter(([name, value]) => !told.has(name) && value !== 0 && value !== null)
    .map(([name, value]) => [name, valueText(value)])

function valueText(value: unknown): string {
  if (Array.isArray(value)) return value.map(valueText).join(', ')
  return typeof value === 'object' && value !== null ? JSON.stringify(value) : String(value)
}

const read = new WeakMap<StatementRun['rows'], Plan | undefined>()

/** The plan that a result is, when it is one: EXPLAIN in JSON answers one value called QUERY PLAN. */
export function planOf({ fields, rows, status }: StatementRun): Plan | undefined {
  const [field, ...more] = fields ?? []
  if (status !== 'done' || more.length > 0 || field?.name !== 'QUERY PLAN' || field.type !== 'json')
    return undefined
  if (!read.has(rows)) read.set(rows, readPlan(textOf(rows[0]?.[0] ?? null) ?? ''))
  return read.get(rows)
}
