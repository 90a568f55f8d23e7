import type { Refusal } from './refusals.ts'

/** What the server made of a login. */
export type SignIn = { processId: number } | { refusal: Refusal }

const longestError = 8192

/**
 * Reads along what the server says until it has let a client in or refused it; returns the outcome, once. Of messages only
 * their kind and length are looked at, but for errors and the number of the process.
 */
export function watchSignIn(): (chunk: Buffer) => SignIn | undefined {
  let kept: Buffer = Buffer.alloc(0)
  /** Bytes of a message that is passed over. */
  let skip = 0
  let processId = 0
  return (chunk) => {
    kept = kept.length === 0 ? chunk : Buffer.concat([kept, chunk])
    for (;;) {
      const passed = Math.min(skip, kept.length)
      skip -= passed
      kept = kept.subarray(passed)
      if (kept.length < 5) return undefined
      const kind = String.fromCharCode(kept[0] ?? 0)
      const length = kept.readUInt32BE(1) + 1
      if (kind === 'Z') return { processId }
      const isRead = (kind === 'E' && length < longestError) || (kind === 'K' && length === 13)
      if (!isRead) {
        if (kind === 'E') return { refusal: { code: 'XX000', message: 'the server refused' } }
        skip = length
        continue
      }
      if (kept.length < length) return undefined
      if (kind === 'E') return { refusal: refusalIn(kept.subarray(5, length)) }
      processId = kept.readUInt32BE(5)
      skip = length
    }
  }
}

function refusalIn(body: Buffer): Refusal {
  const fields = new Map(
    body
      .toString('utf8')
      .split('\0')
      .map((field) => [field.slice(0, 1), field.slice(1)]),
  )
  return { code: fields.get('C') ?? 'XX000', message: fields.get('M') ?? 'the server refused' }
}
