import { badQuery, type Problem } from '../answers/problem.ts'
import type { Field, JsonStep } from './query.ts'

/** Ends an unquoted name; `->` does too. */
const endsName = new Set([',', '.', ':', '(', ')', '!', '"'])

/** Reads one parameter of a query string from left to right. Every refusal says where. */
export class Scanner {
  readonly text: string
  at = 0
  private readonly what: string
  private depth = 0

  /** `what` names the text in errors: "select parameter", "filter" ... */
  constructor(what: string, text: string) {
    this.what = what
    this.text = text
  }

  fail(expected: string, at = this.at): Problem {
    return badQuery(this.what, this.text, at, expected)
  }

  get done(): boolean {
    return this.at >= this.text.length
  }

  peek(token: string): boolean {
    return this.text.startsWith(token, this.at)
  }

  take(token: string): boolean {
    if (!this.peek(token)) return false
    this.at += token.length
    return true
  }

  expect(token: string): void {
    if (!this.take(token)) throw this.fail(JSON.stringify(token))
  }

  expectEnd(): void {
    if (!this.done) throw this.fail('end of input')
  }

  /** Reads `inner`, refusing what is nested so deep that reading it could exhaust the stack. */
  nested<T>(inner: () => T): T {
    if (++this.depth > 30) throw this.fail('at most 30 levels of parentheses')
    const result = inner()
    this.depth--
    return result
  }

  /** Blanks mean nothing where a part begins. */
  skipBlanks(): void {
    while (this.take(' ')) continue
  }

  /** One or more of `item`, separated by commas. */
  list<T>(item: () => T): T[] {
    const items = [item()]
    while (this.take(',')) items.push(item())
    return items
  }

  /** The longest run of characters up to one of `stops`; may be empty. */
  until(stops: string): string {
    const start = this.at
    while (!this.done && !stops.includes(this.text[this.at] ?? '')) this.at++
    return this.text.slice(start, this.at)
  }

  word(): string {
    const match = /^[a-z_]+/i.exec(this.text.slice(this.at, this.at + 20))
    this.at += match?.[0].length ?? 0
    return match?.[0] ?? ''
  }

  /** A quoted or bare name. Bare names may hold any letter, digit, space, `-`, `_`, `$` ... but no delimiter. */
  name(): string {
    const start = this.at
    if (this.peek('"')) {
      const name = this.quoted()
      if (name === '') throw this.fail('a field name', start)
      return name
    }
    while (!this.done && !endsName.has(this.text[this.at] ?? '') && !this.peek('->')) this.at++
    const name = this.text.slice(start, this.at).trim()
    if (name === '') throw this.fail('a field name', start)
    return name
  }

  /** `"…"`, in which a backslash takes the next character as it is. */
  quoted(): string {
    const start = this.at
    this.expect('"')
    let value = ''
    for (;;) {
      const char = this.text[this.at++]
      if (char === undefined) {
        this.at = this.text.length
        throw this.fail(`the end of the quoted text that starts in column ${start + 1}`)
      }
      if (char === '"') return value
      value += char === '\\' ? (this.text[this.at++] ?? '') : char
    }
  }

  field(): Field {
    return { name: this.name(), json: this.jsonPath() }
  }

  jsonPath(): JsonStep[] {
    const steps: JsonStep[] = []
    while (this.peek('->')) {
      const asText = this.take('->>')
      if (!asText) this.expect('->')
      const index = /^[+-]?\d{1,9}(?=->|::|[.,)]|$)/.exec(this.text.slice(this.at, this.at + 14))
      if (index) {
        this.at += index[0].length
        steps.push({ asText, step: { index: Number(index[0]) } })
      } else {
        // Unlike a column, a key may be empty.
        const key = this.peek('"') ? this.quoted() : this.name()
        steps.push({ asText, step: { key } })
      }
    }
    return steps
  }
}
