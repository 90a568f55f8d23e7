import { JsonRows, type RowShape } from './json-rows.ts'

/** What a JSON text may hold at most, so that making its values takes no longer than its bytes are worth. */
export type JsonBounds = {
  /** Arrays and objects inside each other. */
  depth: number
  /** Members and elements of all arrays and objects together. */
  values: number
  /** Members of one object. */
  keys: number
}

/** Why a text is refused; the message is for whoever sent it. */
export class JsonRefusal extends Error {
  readonly kind: 'malformed' | 'too deep' | 'too many'

  constructor(kind: JsonRefusal['kind'], message: string) {
    super(message)
    this.kind = kind
  }
}

// What may come next. Constants of their own, since the loop below looks at one for every byte.
const value = 0
const valueOrEnd = 1
const keyOrEnd = 2
const key = 3
const colon = 4
const next = 5
const text = 6
const escape = 7
const hex = 8
const minus = 9
const zero = 10
const digits = 11
const point = 12
const fraction = 13
const exponent = 14
const sign = 15
const power = 16
const word = 17

const words: Record<number, string> = { 0x74: 'true', 0x66: 'false', 0x6e: 'null' }
const afterBackslash = new Set(Buffer.from('"\\/bfnrt'))
const isDigit = (byte: number) => byte >= 0x30 && byte <= 0x39
const isHex = (byte: number) =>
  isDigit(byte) || (byte >= 0x41 && byte <= 0x46) || (byte >= 0x61 && byte <= 0x66)
/** States in which a number may be over. */
const endsNumber = (state: number) =>
  state === zero || state === digits || state === fraction || state === power

/**
 * Reads a JSON text (RFC 8259) byte by byte without making any of its values, so it can pause anywhere and a text of any
 * size and form costs the same few nanoseconds a byte. Says whether it is well-formed and within bounds, and what rows
 * it would be. The encoding is not looked at.
 */
export class JsonScan {
  private readonly bytes: Buffer
  private readonly bounds: JsonBounds
  private readonly rows = new JsonRows()
  private at = 0
  private state = value
  private depth = 0
  private values = 0
  /** By depth: 1 for an object, and how many members it has so far. */
  private readonly isObject: Uint8Array
  private readonly members: Uint32Array
  private isKey = false
  private escaped = false
  private textStart = 0
  /** Of what is read in several bytes: how many of them were. */
  private count = 0
  private spelled = ''

  constructor(bytes: Buffer, bounds: JsonBounds) {
    this.bytes = bytes
    this.bounds = bounds
    this.isObject = new Uint8Array(bounds.depth + 2)
    this.members = new Uint32Array(bounds.depth + 2)
  }

  /** Reads on; true when all is read. @param most bytes @throws JsonRefusal */
  step(max: number): boolean {
    const end = Math.min(this.bytes.length, this.at + max)
    while (this.at < end) {
      if (this.state === text) this.readText(end)
      else this.read(this.bytes[this.at] ?? 0)
    }
    if (end < this.bytes.length) return false
    if (this.depth > 0 || (this.state !== next && !endsNumber(this.state))) this.refuse()
    return true
  }

  /** What was read, once all is. */
  shape(): RowShape {
    return this.rows.shape()
  }

  /** Most of most texts stands between quotes. */
  private readText(end: number): void {
    const { bytes } = this
    let at = this.at
    while (at < end) {
      const byte = bytes[at] ?? 0
      if (byte === 0x22 || byte === 0x5c || byte < 0x20) break
      at++
    }
    this.at = at
    if (at === end) return
    const byte = bytes[at] ?? 0
    if (byte < 0x20) this.refuse()
    this.at++
    if (byte === 0x5c) {
      this.escaped = true
      this.state = escape
    } else if (this.isKey) {
      this.rows.key(this.depth, bytes, this.textStart, at, this.escaped)
      this.state = colon
    } else this.state = next
  }

  private read(byte: number): void {
    const { state } = this
    if (state <= next && (byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09)) {
      this.at++
      return
    }
    switch (state) {
      case value:
        return this.begin(byte)
      case valueOrEnd:
        return byte === 0x5d ? this.close() : this.begin(byte)
      case keyOrEnd:
        return byte === 0x7d ? this.close() : this.beginKey(byte)
      case key:
        return this.beginKey(byte)
      case colon:
        return byte === 0x3a ? this.go(value) : this.refuse()
      case next:
        return this.separate(byte)
      case escape:
        return this.readEscape(byte)
      case hex:
        if (!isHex(byte)) this.refuse()
        return this.go(++this.count === 4 ? text : hex)
      case word:
        if (byte !== this.spelled.charCodeAt(this.count)) this.refuse()
        return this.go(++this.count === this.spelled.length ? next : word)
      default:
        return this.readNumber(byte)
    }
  }

  private go(state: number): void {
    this.state = state
    this.at++
  }

  private begin(byte: number): void {
    this.spend()
    if (byte === 0x7b || byte === 0x5b) return this.open(byte === 0x7b)
    this.rows.scalar(this.depth)
    if (byte === 0x22) {
      this.isKey = false
      return this.go(text)
    }
    if (byte === 0x2d) return this.go(minus)
    if (isDigit(byte)) return this.go(byte === 0x30 ? zero : digits)
    const spelled = words[byte]
    if (spelled === undefined) return this.refuse()
    this.spelled = spelled
    this.count = 1
    return this.go(word)
  }

  private beginKey(byte: number): void {
    if (byte !== 0x22) this.refuse()
    this.members[this.depth] = (this.members[this.depth] ?? 0) + 1
    if ((this.members[this.depth] ?? 0) > this.bounds.keys) {
      throw new JsonRefusal('too many', `An object has more than ${this.bounds.keys} members`)
    }
    this.isKey = true
    this.escaped = false
    this.textStart = this.at + 1
    this.go(text)
  }

  private spend(): void {
    if (++this.values <= this.bounds.values) return
    throw new JsonRefusal('too many', `The JSON holds more than ${this.bounds.values} values`)
  }

  private open(object: boolean): void {
    if (++this.depth > this.bounds.depth) {
      throw new JsonRefusal(
        'too deep',
        `The JSON is nested deeper than ${this.bounds.depth} levels`,
      )
    }
    this.isObject[this.depth] = Number(object)
    this.members[this.depth] = 0
    this.rows.open(this.depth, object)
    this.go(object ? keyOrEnd : valueOrEnd)
  }

  private close(): void {
    this.rows.close(this.depth)
    this.depth--
    this.go(next)
  }

  private separate(byte: number): void {
    const object = this.isObject[this.depth] === 1
    if (this.depth > 0 && byte === 0x2c) return this.go(object ? key : value)
    if (this.depth === 0 || byte !== (object ? 0x7d : 0x5d)) this.refuse()
    this.close()
  }

  private readEscape(byte: number): void {
    this.count = 0
    if (byte !== 0x75 && !afterBackslash.has(byte)) this.refuse()
    this.go(byte === 0x75 ? hex : text)
  }

  private readNumber(byte: number): void {
    const { state } = this
    if (isDigit(byte)) {
      if (state === zero) this.refuse()
      if (state === minus) return this.go(byte === 0x30 ? zero : digits)
      if (state === point) return this.go(fraction)
      return this.go(state === exponent || state === sign ? power : state)
    }
    const whole = state === zero || state === digits
    if (byte === 0x2e && whole) return this.go(point)
    if ((byte === 0x65 || byte === 0x45) && (whole || state === fraction)) return this.go(exponent)
    if ((byte === 0x2b || byte === 0x2d) && state === exponent) return this.go(sign)
    if (!endsNumber(state)) this.refuse()
    // The byte belongs to what comes behind the number.
    this.state = next
  }

  private refuse(): never {
    const found = this.at < this.bytes.length ? `at byte ${this.at}` : 'at its end'
    throw new JsonRefusal('malformed', `The JSON is not well-formed ${found}`)
  }
}
