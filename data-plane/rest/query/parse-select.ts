import { aggregates, type Aggregate, type Embed, type SelectItem } from './query.ts'
import { Scanner } from './scanner.ts'

/** `id,title:name,data->>color,price::text,author(name),...publisher(city),amount.sum()` */
export function parseSelect(text: string): SelectItem[] {
  const scan = new Scanner('select parameter', text)
  const items = selectList(scan)
  scan.expectEnd()
  return items
}

/** May be empty, at the root and in an embed. */
function selectList(scan: Scanner): SelectItem[] {
  if (scan.done || scan.peek(')')) return []
  return scan.list(() => selectItem(scan))
}

function selectItem(scan: Scanner): SelectItem {
  if (scan.take('...')) return embed(scan, undefined, scan.name(), true)
  if (scan.peek('*')) {
    scan.expect('*')
    return { kind: 'all' }
  }
  const first = scan.name()
  const isAlias = scan.peek(':') && !scan.peek('::')
  if (!isAlias) return named(scan, undefined, first)
  scan.expect(':')
  return named(scan, first, scan.name())
}

function named(scan: Scanner, alias: string | undefined, name: string): SelectItem {
  if (name === 'count' && scan.take('()')) {
    const aggregateCast = cast(scan)
    return {
      kind: 'field',
      field: undefined,
      alias,
      cast: undefined,
      aggregate: 'count',
      aggregateCast,
    }
  }
  if (scan.peek('!') || scan.peek('(')) return embed(scan, alias, name, false)
  const field = { name, json: scan.jsonPath() }
  const fieldCast = cast(scan)
  if (!scan.take('.')) {
    return {
      kind: 'field',
      field,
      alias,
      cast: fieldCast,
      aggregate: undefined,
      aggregateCast: undefined,
    }
  }
  const aggregate = aggregateName(scan)
  return { kind: 'field', field, alias, cast: fieldCast, aggregate, aggregateCast: cast(scan) }
}

function aggregateName(scan: Scanner): Aggregate {
  const start = scan.at
  const word = scan.word()
  const found = aggregates.find((aggregate) => aggregate === word)
  if (!found || !scan.take('()')) throw scan.fail('sum(), avg(), max(), min() or count()', start)
  return found
}

function cast(scan: Scanner): string | undefined {
  if (!scan.take('::')) return undefined
  const start = scan.at
  // A type's name, as `int4`, `double precision` or `text[]`; resolved when SQL is made.
  const match = /^(?:"[^"]+"|[\p{L}_][\p{L}\p{N}_$ ]*)(?:\[\])?/u.exec(scan.text.slice(start))
  if (!match) throw scan.fail('a type name', start)
  scan.at += match[0].length
  return match[0].trim()
}

function embed(scan: Scanner, alias: string | undefined, relation: string, spread: boolean): Embed {
  let hint: string | undefined
  let join: Embed['join']
  while (scan.take('!')) {
    const start = scan.at
    const name = scan.name()
    if (name === 'inner' || name === 'left') join = name
    else if (hint === undefined) hint = name
    else throw scan.fail('"!inner", "!left" or "("', start)
  }
  scan.expect('(')
  const select = scan.nested(() => selectList(scan))
  scan.expect(')')
  return { kind: 'embed', relation, alias, hint, join, spread, select }
}
