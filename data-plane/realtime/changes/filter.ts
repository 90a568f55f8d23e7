/** The operators of filters, as they are written; each can follow `not.`. */
const operators = [
  'eq',
  'neq',
  'lt',
  'lte',
  'gt',
  'gte',
  'in',
  'like',
  'ilike',
  'is',
  'match',
  'imatch',
  'isdistinct',
] as const
type Operator = (typeof operators)[number]

export type Condition = {
  column: string
  operator: Operator
  negated: boolean
  value: string
  /** Of `in`. */
  list: string[]
}
export class FilterError extends Error {}

const isOperator = (name: string): name is Operator => operators.some((one) => one === name)

/** `col=op.value,col=not.op.value`: all of them have to hold. An empty text has none. @throws FilterError */
export function parseFilter(text: string): Condition[] {
  if (text.trim() === '') return []
  return splitOutside(text).map((part) => {
    const fail = () => new FilterError(`Error parsing \`filter\` params: ["${part.trim()}"]`)
    const found = /^([^=]+)=(not\.)?([a-z]+)\.(.*)$/s.exec(part.trim())
    const [, column = '', not, operator = '', rest = ''] = found ?? []
    if (!found || !isOperator(operator)) throw fail()
    const condition = { column: unquote(column.trim()), operator, negated: not !== undefined }
    if (operator !== 'in') return { ...condition, value: unquote(rest), list: [] }
    if (!/^\(.*\)$/s.test(rest)) throw fail()
    return {
      ...condition,
      value: '',
      list: splitOutside(rest.slice(1, -1)).map((one) => unquote(one.trim())),
    }
  })
}

/** At commas that stand neither in quotes nor in parentheses. */
function splitOutside(text: string): string[] {
  const parts = ['']
  let [quoted, depth] = [false, 0]
  for (let i = 0; i < text.length; i++) {
    const char = text[i] ?? ''
    if (char === ',' && !quoted && depth === 0) {
      parts.push('')
      continue
    }
    parts[parts.length - 1] += char
    if (char === '\\') parts[parts.length - 1] += text[++i] ?? ''
    else if (char === '"') quoted = !quoted
    else if (!quoted && char === '(') depth++
    else if (!quoted && char === ')') depth--
  }
  return parts
}

const unquote = (text: string) =>
  /^".*"$/s.test(text) ? text.slice(1, -1).replace(/\\(.)/gs, '$1') : text

const numbers = ['int2', 'int4', 'int8', 'float4', 'float8', 'numeric', 'oid', 'money']

/** Why a value cannot be compared with a column of the type; undefined when it can. */
export function misfit({ operator, value, list }: Condition, type: string): string | undefined {
  const values = operator === 'in' ? list : [value]
  if (operator === 'is') {
    return ['null', 'true', 'false', 'unknown'].includes(value.toLowerCase()) ? undefined : value
  }
  if (['like', 'ilike', 'match', 'imatch'].includes(operator)) return undefined
  if (numbers.includes(type))
    return values.find((one) => one.trim() === '' || Number.isNaN(Number(one)))
  if (type === 'bool') return values.find((one) => truth(one) === undefined)
  return undefined
}

function truth(text: string): boolean | undefined {
  const low = text.toLowerCase()
  if (['t', 'true', 'on', 'yes', '1'].includes(low)) return true
  return ['f', 'false', 'off', 'no', '0'].includes(low) ? false : undefined
}

/** Whether a condition holds for the text of a column; 'ask': only the database knows. */
export function holds(condition: Condition, text: string | null, type: string): boolean | 'ask' {
  const { operator, negated, value, list } = condition
  if (operator === 'is') {
    const expected = value.toLowerCase()
    const met =
      expected === 'null' || expected === 'unknown'
        ? text === null
        : text !== null && truth(text) === (expected === 'true')
    return met !== negated
  }
  if (operator === 'isdistinct')
    return (text === null || compare(text, value, type) !== 0) !== negated
  // What is compared with nothing is neither so nor otherwise.
  if (text === null) return false
  if (operator === 'match' || operator === 'imatch') return 'ask'
  return plain(operator, text, value, list, type) !== negated
}

function plain(
  operator: Operator,
  text: string,
  value: string,
  list: string[],
  type: string,
): boolean {
  if (operator === 'in') return list.some((one) => compare(text, one, type) === 0)
  if (operator === 'like') return isLike(text, value)
  if (operator === 'ilike') return isLike(text.toLowerCase(), value.toLowerCase())
  const order = compare(text, value, type)
  if (operator === 'eq') return order === 0
  if (operator === 'neq') return order !== 0
  if (operator === 'lt') return order < 0
  if (operator === 'lte') return order <= 0
  return operator === 'gt' ? order > 0 : order >= 0
}

/** Below, equal, above: as the type orders values. */
function compare(a: string, b: string, type: string): number {
  if (/^int[248]$/.test(type) && /^[-+]?\d+$/.test(b)) return sign(BigInt(a), BigInt(b))
  if (numbers.includes(type)) return sign(Number(a), Number(b))
  if (type === 'bool') return sign(Number(truth(a)), Number(truth(b)))
  if (type === 'uuid') return sign(a.toLowerCase(), b.toLowerCase())
  if (type === 'timestamptz' || type === 'timestamp' || type === 'date') {
    const [left, right] = [timeOf(a, type), timeOf(b, type)]
    if (!Number.isNaN(left) && !Number.isNaN(right)) return sign(left, right)
  }
  return sign(a, b)
}

/** Times without a zone are compared with each other alone, so any zone does. */
const timeOf = (text: string, type: string) => {
  const iso = text.replace(' ', 'T').replace(/([+-]\d\d)$/, '$1:00')
  return Date.parse(type === 'timestamp' && !/(Z|[+-]\d\d:\d\d)$/.test(iso) ? `${iso}Z` : iso)
}

const sign = <T extends string | number | bigint>(a: T, b: T) => (a < b ? -1 : a > b ? 1 : 0)

/** Goes back to the last `%` only, so that no pattern takes long. */
function isLike(text: string, pattern: string): boolean {
  let [t, p, star, from] = [0, 0, -1, 0]
  while (t < text.length) {
    const escaped = pattern[p] === '\\' && p + 1 < pattern.length
    const char = escaped ? pattern[p + 1] : pattern[p]
    if (!escaped && char === '%') {
      star = p++
      from = t
    } else if (char !== undefined && (char === text[t] || (!escaped && char === '_'))) {
      p += escaped ? 2 : 1
      t++
    } else if (star >= 0) {
      p = star + 1
      t = ++from
    } else return false
  }
  while (pattern[p] === '%') p++
  return p === pattern.length
}
