export type PlanLine = {
  key: string
  depth: number
  what: string
  detail: string
  rows: number
  /** Of this step alone, and as a part of the whole plan. */
  cost: number
  share: number
}

type Node = Record<string, unknown>

const isNode = (value: unknown): value is Node => typeof value === 'object' && value !== null
const number = (value: unknown) => (typeof value === 'number' ? value : 0)
const text = (value: unknown) => (typeof value === 'string' ? value : '')

const conditions = [
  'Index Cond',
  'Recheck Cond',
  'Hash Cond',
  'Merge Cond',
  'Join Filter',
  'Filter',
]

/** A plan of EXPLAIN's JSON as lines to read from the outside in. */
export function planLines(plan: unknown): PlanLine[] {
  const lines: PlanLine[] = []
  const whole = isNode(plan) ? Math.max(number(plan['Total Cost']), Number.MIN_VALUE) : 1
  const add = (node: unknown, depth: number, key: string) => {
    if (!isNode(node)) return
    const inner = Array.isArray(node['Plans']) ? node['Plans'].filter(isNode) : []
    const below = inner.reduce((sum, part) => sum + number(part['Total Cost']), 0)
    // A step under LIMIT may cost less than what it stands on would, run to its end.
    const cost = Math.max(0, number(node['Total Cost']) - below)
    const relation = text(node['Relation Name'])
    const index = text(node['Index Name'])
    lines.push({
      key,
      depth,
      what: [
        text(node['Node Type']),
        ...(index ? [`using ${index}`] : []),
        ...(relation ? [`on ${relation}`] : []),
      ].join(' '),
      detail: conditions.map((name) => text(node[name])).find(Boolean) ?? '',
      rows: number(node['Plan Rows']),
      cost,
      share: Math.min(1, cost / whole),
    })
    for (const [at, part] of inner.entries()) add(part, depth + 1, `${key}.${at}`)
  }
  add(plan, 0, '0')
  return lines
}
