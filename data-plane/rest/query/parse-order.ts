import type { Field, OrderTerm } from './query.ts'
import { Scanner } from './scanner.ts'

/** `age.desc.nullslast,data->>name,author(name).asc` */
export function parseOrder(text: string): OrderTerm[] {
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
