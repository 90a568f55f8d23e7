/** How an answer begins. */
export type AnswerHead = {
  status: number
  /** Name, value, name, value ... as they came. */
  headers: string[]
  /** Milliseconds that the other side keeps the connection open while nobody uses it, when it says so. */
  keptMs: number | undefined
}
export type AnswerParts = {
  head(head: AnswerHead): void
  /** The bytes are there until this returns: who keeps them copies them. */
  body(bytes: Buffer): void
  /** Whether the connection is good for another request. */
  end(isReusable: boolean): void
}
export class BadAnswer extends Error {}

/** Takes bytes from a position on and returns how far it came; `over` once it has all of the body. */
type Body = { readonly over: boolean; take(bytes: Buffer, at: number): number }

const mostHead = 32 * 1024
const mostLine = 8 * 1024
const token = /^[!#$%&'*+.^`|~\w-]+$/

/** Reads the answer to one request, RFC 9112, however its bytes are cut. @throws BadAnswer */
export function createAnswerReader(method: string, parts: AnswerParts) {
  let before: Buffer | undefined
  let body: Body | undefined
  let untilClose = false
  let isReusable = true

  /** Where the body begins; undefined: the head is not whole yet. */
  function readHead(bytes: Buffer): number | undefined {
    const end = bytes.indexOf('\r\n\r\n')
    if (end > mostHead || (end < 0 && bytes.length > mostHead)) throw new BadAnswer('Long head')
    if (end < 0) return undefined
    const lines = bytes.toString('latin1', 0, end).split('\r\n')
    const [, minor, digits] = /^HTTP\/1\.([01]) (\d{3})(?: |$)/.exec(lines[0] ?? '') ?? []
    const status = Number(digits)
    if (digits === undefined || status < 100 || status === 101) throw new BadAnswer('Bad status')
    // More is to come.
    if (status < 200) return -(end + 4)
    const { headers, encoding, lengths, closes, keptMs } = readHeaders(lines)
    isReusable = minor === '1' && !closes
    parts.head({ status, headers, keptMs })
    if (method === 'HEAD' || status === 204 || status === 304) body = lengthBody(0, parts)
    else if (encoding !== undefined) {
      if (encoding !== 'chunked') throw new BadAnswer('Unknown transfer encoding')
      // Whoever sends both may mean something else by it.
      if (lengths.length > 0) isReusable = false
      body = chunkedBody(parts)
    } else if (lengths.length > 0) {
      const [length = ''] = lengths
      const isOne = lengths.every((each) => each === length)
      if (!isOne || !/^\d{1,15}$/.test(length)) throw new BadAnswer('Bad length')
      body = lengthBody(Number(length), parts)
    } else {
      untilClose = true
      body = openBody(parts)
    }
    return end + 4
  }

  return {
    /** False once there is nothing more to read. */
    push(chunk: Buffer): boolean {
      let bytes = before ? Buffer.concat([before, chunk]) : chunk
      before = undefined
      let at = 0
      while (!body) {
        const from = readHead(bytes)
        if (from === undefined) {
          before = Buffer.from(bytes)
          return true
        }
        if (body) at = from
        else bytes = bytes.subarray(-from)
      }
      if (!body.over) at = body.take(bytes, at)
      if (!body.over) return true
      parts.end(isReusable && at === bytes.length)
      return false
    },
    /** The other side has closed: whether the answer ends there. */
    close(): boolean {
      if (untilClose) parts.end(false)
      return untilClose
    },
  }
}

function readHeaders(lines: readonly string[]) {
  const headers: string[] = []
  const lengths: string[] = []
  let encoding: string | undefined
  let closes = false
  let keptMs: number | undefined
  for (let at = 1; at < lines.length; at++) {
    const line = lines[at] ?? ''
    const colon = line.indexOf(':')
    const name = line.slice(0, Math.max(0, colon))
    if (!token.test(name)) throw new BadAnswer('Bad header')
    const value = line.slice(colon + 1).trim()
    const lower = name.toLowerCase()
    if (lower === 'content-length') lengths.push(value)
    else if (lower === 'transfer-encoding') encoding = value.toLowerCase()
    else if (lower === 'connection') closes ||= /\bclose\b/i.test(value)
    else if (lower === 'keep-alive') {
      const seconds = /\btimeout=(\d{1,6})\b/.exec(value)?.[1]
      if (seconds !== undefined) keptMs = Number(seconds) * 1000
    }
    headers.push(lower, value)
  }
  return { headers, encoding, lengths, closes, keptMs }
}

function lengthBody(length: number, { body }: AnswerParts): Body {
  let left = length
  return {
    get over() {
      return left === 0
    },
    take(bytes, at) {
      const end = Math.min(bytes.length, at + left)
      if (end > at) body(bytes.subarray(at, end))
      left -= end - at
      return end
    },
  }
}

const openBody = ({ body }: AnswerParts): Body => ({
  over: false,
  take(bytes, at) {
    if (bytes.length > at) body(at === 0 ? bytes : bytes.subarray(at))
    return bytes.length
  },
})

/** RFC 9112 §7.1. Extensions and trailers are left out. */
function chunkedBody({ body }: AnswerParts): Body {
  let next: 'size' | 'break' | 'trailers' | 'over' = 'size'
  let left = 0
  let line = ''
  function takeLine(): void {
    if (next === 'break') {
      if (line !== '') throw new BadAnswer('Bad end of a chunk')
      next = 'size'
    } else if (next === 'size') {
      const digits = /^([\da-f]{1,10})[ \t]*(?:;|$)/i.exec(line)?.[1]
      if (digits === undefined) throw new BadAnswer('Bad size of a chunk')
      left = parseInt(digits, 16)
      next = left === 0 ? 'trailers' : 'break'
    } else if (line === '') next = 'over'
    line = ''
  }
  return {
    get over() {
      return next === 'over'
    },
    take(bytes, from) {
      let at = from
      while (at < bytes.length && next !== 'over') {
        if (left > 0) {
          const end = Math.min(bytes.length, at + left)
          body(bytes.subarray(at, end))
          left -= end - at
          at = end
          continue
        }
        const found = bytes.indexOf(10, at)
        const end = found < 0 ? bytes.length : found
        line += bytes.toString('latin1', at, end)
        if (line.length > mostLine) throw new BadAnswer('Long line')
        at = end + 1
        if (found < 0) return bytes.length
        if (line.endsWith('\r')) line = line.slice(0, -1)
        takeLine()
      }
      return at
    },
  }
}
