/** Which rows a JSON text would be: an object is one, an array of objects as many as it has. */
export type RowShape = {
  form: 'object' | 'array' | 'scalar'
  /** Elements of an array; 1 for anything else. */
  length: number
  /** Keys of the first object, each once, at most `maxKeys`. */
  keys: readonly string[]
  /** All objects of an array have the same keys. */
  uniform: boolean
  /** An element of an array is no object. */
  mixed: boolean
}

/**
 * Keys of a row that are told apart. No table has more than 1600 columns and no function as many arguments, so one of
 * these is unknown wherever there are more.
 */
export const maxKeys = 1700
/** Bytes of a key that are read; a name in the database has 63. */
const longestKey = 1024

/** Gathers the rows while a text is scanned. Depths count from 1, the outermost array or object. */
export class JsonRows {
  private form: RowShape['form'] = 'scalar'
  /** Depth of the objects that are rows. */
  private depth = 1
  private length = 0
  private mixed = false
  private uniform = true
  private readonly keys = new Map<string, number>()
  /** The keys as they were written in the first row, by their place there, with their numbers. */
  private readonly written: { bytes: Buffer; number: number }[] = []
  /** By key: the last row that had it. */
  private readonly seen = new Uint32Array(maxKeys)
  private row = 0
  private distinct = 0
  private place = 0

  scalar(depth: number): void {
    if (depth !== 1 || this.form !== 'array') return
    this.length++
    this.mixed = true
  }

  open(depth: number, object: boolean): void {
    if (depth === 1) {
      this.form = object ? 'object' : 'array'
      this.depth = object ? 1 : 2
    } else if (depth === 2 && this.form === 'array') {
      this.length++
      if (!object) this.mixed = true
    }
    if (depth !== this.depth || !object) return
    this.row++
    this.distinct = 0
    this.place = 0
  }

  /** `start` and `end` are the bytes between the quotes. */
  key(depth: number, bytes: Buffer, start: number, end: number, escaped: boolean): void {
    if (depth !== this.depth) return
    const number = this.sameAsFirst(bytes, start, end) ?? this.numberOf(bytes, start, end, escaped)
    this.place++
    if (number === undefined || this.seen[number] === this.row) return
    this.seen[number] = this.row
    this.distinct++
  }

  close(depth: number): void {
    if (depth !== this.depth || this.row === 1) return
    if (this.distinct !== this.keys.size) this.uniform = false
  }

  shape(): RowShape {
    const { form, uniform, mixed } = this
    const length = form === 'array' ? this.length : 1
    return { form, length, keys: [...this.keys.keys()], uniform, mixed }
  }

  /** Most rows have their keys in the order of the first one, and need no text made of them. */
  private sameAsFirst(bytes: Buffer, start: number, end: number): number | undefined {
    const first = this.row > 1 ? this.written[this.place] : undefined
    if (first?.bytes.length !== end - start) return undefined
    for (let i = 0; i < first.bytes.length; i++) {
      if (first.bytes[i] !== bytes[start + i]) return undefined
    }
    return first.number
  }

  private numberOf(
    bytes: Buffer,
    start: number,
    end: number,
    escaped: boolean,
  ): number | undefined {
    const name = nameOf(bytes, start, end, escaped)
    const known = this.keys.get(name)
    if (this.row > 1) {
      if (known === undefined) this.uniform = false
      return known
    }
    const number = known ?? this.keys.size
    if (number >= maxKeys) return undefined
    this.keys.set(name, number)
    // Not for each time that a key comes again.
    if (this.written.length === this.place && this.place < maxKeys) {
      this.written.push({ bytes: bytes.subarray(start, end), number })
    }
    return number
  }
}

function nameOf(bytes: Buffer, start: number, end: number, escaped: boolean): string {
  if (end - start > longestKey) return bytes.toString('utf8', start, start + longestKey)
  return escaped
    ? String(JSON.parse(bytes.toString('utf8', start - 1, end + 1)))
    : bytes.toString('utf8', start, end)
}
