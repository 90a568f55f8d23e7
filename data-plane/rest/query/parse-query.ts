import { parseFilterValue, parseLogic } from './parse-filter.ts'
import { parseSelect } from './parse-select.ts'
import { badRange, Problem } from '../answers/problem.ts'
import type { At, Field, Logic, Query, OrderTerm } from './query.ts'
import { Scanner } from './scanner.ts'

type Pair = readonly [name: string, value: string]
type Draft = {
  -readonly [K in keyof Query]: Query[K] extends readonly (infer T)[] ? T[] : Query[K]
}

/** More parameters than any client sends; each costs the planner some work. */
const maxPairs = 1000

/**
 * Reads a raw query string (without the question mark). With `callsFunction`, what is no filter is an argument.
 * @throws Problem for whatever is not in the grammar.
 */
export function parseQuery(raw: string, callsFunction = false): Query {
  const pairs = decodePairs(raw)
  const draft: Draft = {
    select: [],
    where: [],
    order: [],
    limit: [],
    offset: [],
    columns: undefined,
    onConflict: undefined,
    args: [],
    canonical: canonical(pairs),
  }
  const once = new Set<string>()
  for (const [name, value] of pairs) {
    if (once.has(name)) continue
    if (readReserved(draft, name, value)) once.add(name)
    else readFilter(draft, name, value, callsFunction)
  }
  return draft
}

/** The parameters that mean the whole request. The first of a name counts. */
function readReserved(draft: Draft, name: string, value: string): boolean {
  switch (name) {
    case 'select':
      draft.select = parseSelect(value)
      return true
    case 'columns':
      if (value !== '') draft.columns = nameList('columns parameter', value)
      return true
    case 'on_conflict':
      if (value !== '') draft.onConflict = nameList('on_conflict parameter', value)
      return true
    default:
      return false
  }
}

function nameList(what: string, text: string): string[] {
  const scan = new Scanner(what, text)
  const names = scan.list(() => scan.name())
  scan.expectEnd()
  return [...new Set(names)]
}

function readFilter(draft: Draft, name: string, value: string, callsFunction: boolean): void {
  const { path, field } = parseKey(name)
  const last = field.json.length === 0 ? field.name : ''
  switch (last) {
    case 'order':
      if (value !== '') draft.order.push({ path, is: parseOrder(value) })
      return
    case 'limit':
      if (value !== '') draft.limit.push({ path, is: parseLimit(value) })
      return
    case 'offset':
      if (value !== '') draft.offset.push({ path, is: parseWhole('offset', value) })
      return
    case 'and':
    case 'or':
      draft.where.push(logicAt(path, last, value))
      return
    default:
  }
  if (callsFunction && !looksLikeFilter(value)) {
    draft.args.push([name, value])
    return
  }
  draft.where.push({ path, is: { kind: 'filter', field, ...parseFilterValue(value) } })
}

function logicAt(path: string[], kind: 'and' | 'or', value: string): At<Logic> {
  const not = path.at(-1) === 'not'
  return { path: not ? path.slice(0, -1) : path, is: parseLogic(kind, not, value) }
}

/** A parameter's name: `column`, `data->>key`, `embed.column`, `embed.not.or`. */
function parseKey(name: string): { path: string[]; field: Field } {
  const scan = new Scanner('tree path', name)
  const path = [scan.name()]
  while (scan.take('.')) path.push(scan.name())
  const json = scan.jsonPath()
  scan.expectEnd()
  return { path: path.slice(0, -1), field: { name: path.at(-1) ?? '', json } }
}

function looksLikeFilter(value: string): boolean {
  try {
    parseFilterValue(value)
    return true
  } catch (error) {
    if (error instanceof Problem) return false
    throw error
  }
}

function parseLimit(text: string): number {
  const count = parseWhole('limit', text)
  if (count >= 0) return count
  throw badRange('Limit should be greater than or equal to zero.')
}

function parseWhole(name: string, text: string): number {
  const scan = new Scanner(`${name} parameter`, text)
  if (!/^[+-]?\d{1,15}$/.test(text)) throw scan.fail('a whole number')
  return Number(text)
}

/** The gateway's own parameter, when the key comes in the query. */
const notOurs = 'apikey'

function decodePairs(raw: string): Pair[] {
  if (raw === '') return []
  const parts = asUtf8(raw).split('&', maxPairs + 1)
  if (parts.length > maxPairs) throw undecodable(`it has more than ${maxPairs} parameters`)
  return parts.flatMap((part): Pair[] => {
    if (part === '') return []
    const equals = part.indexOf('=')
    const name = decode(equals < 0 ? part : part.slice(0, equals))
    const value = equals < 0 ? '' : decode(part.slice(equals + 1))
    return name === notOurs ? [] : [[name, value]]
  })
}

/** Node hands over bytes that a client should have encoded as one character each. */
function asUtf8(raw: string): string {
  return /[\x80-\xff]/.test(raw) ? Buffer.from(raw, 'latin1').toString() : raw
}

function decode(text: string): string {
  const spaced = text.includes('+') ? text.replaceAll('+', ' ') : text
  if (!spaced.includes('%')) return spaced
  let decoded: string
  try {
    // A sign that begins no pair of digits is itself, as clients send it that encode nothing.
    decoded = decodeURIComponent(spaced.replace(/%(?![0-9a-f]{2})/gi, '%25'))
  } catch {
    throw undecodable('it is not valid percent-encoded UTF-8')
  }
  // No text of the database can hold it, and in a statement it would end the message.
  if (decoded.includes('\0')) throw undecodable('it contains a NUL character')
  return decoded
}

const undecodable = (why: string) =>
  new Problem(400, 'PGRST100', `The query string cannot be read: ${why}`)

function canonical(pairs: readonly Pair[]): string {
  if (pairs.length === 0) return ''
  const sorted = pairs.toSorted(([a], [b]) => (a < b ? -1 : Number(a > b)))
  return sorted.map(([name, value]) => `${encode(name)}=${encode(value)}`).join('&')
}

/** Lone surrogates, on which this would throw, cannot come out of a decoded query. */
const encode = encodeURIComponent

/** `age.desc.nullslast,data->>name,author(name).asc` */
function parseOrder(text: string): OrderTerm[] {
  const scan = new Scanner('order', text)
  const terms = scan.list(() => orderTerm(scan))
  scan.expectEnd()
  return terms
}

function orderTerm(scan: Scanner): OrderTerm {
  const { relation, field } = orderField(scan)
  let direction: OrderTerm['direction']
  let nulls: OrderTerm['nulls']
  while (scan.take('.')) {
    const start = scan.at
    const word = scan.word()
    if ((word === 'asc' || word === 'desc') && !direction && !nulls) direction = word
    else if (word === 'nullsfirst' && !nulls) nulls = 'first'
    else if (word === 'nullslast' && !nulls) nulls = 'last'
    else throw scan.fail('"asc", "desc", "nullsfirst" or "nullslast"', start)
  }
  return { relation, field, direction, nulls }
}

function orderField(scan: Scanner): { relation: string | undefined; field: Field } {
  const name = scan.name()
  if (!scan.take('(')) return { relation: undefined, field: { name, json: scan.jsonPath() } }
  const field = scan.field()
  scan.expect(')')
  return { relation: name, field }
}
