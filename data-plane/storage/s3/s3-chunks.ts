import { createHash } from 'node:crypto'
import { S3Error } from './s3-errors.ts'
import { algorithm, hmac, isSameSignature, mismatch, type Signature } from './s3-sigv4.ts'

const longestLine = 4096
const largestChunk = 1024 * 1024 * 1024
const emptyHash = createHash('sha256').update('').digest('hex')

const incomplete = () =>
  new S3Error('IncompleteBody', 'The request ended before the whole body arrived')
const malformed = () => new S3Error('InvalidChunkSizeError', 'A chunk of the body is malformed')

/** Lines and counted bytes of a stream, one behind the other. */
function reading(source: AsyncIterable<Uint8Array>) {
  const pieces = source[Symbol.asyncIterator]()
  let rest = Buffer.alloc(0)
  async function more(): Promise<void> {
    const next = await pieces.next()
    if (next.done) throw incomplete()
    rest = rest.length === 0 ? Buffer.from(next.value) : Buffer.concat([rest, next.value])
  }
  return {
    async line(): Promise<string> {
      for (;;) {
        const end = rest.indexOf('\r\n')
        if (end >= 0) {
          const line = rest.toString('latin1', 0, end)
          rest = rest.subarray(end + 2)
          return line
        }
        if (rest.length > longestLine) throw malformed()
        await more()
      }
    },
    async *take(size: number): AsyncIterable<Uint8Array> {
      for (let left = size; left > 0;) {
        if (rest.length === 0) await more()
        const piece = rest.subarray(0, left)
        rest = rest.subarray(piece.length)
        left -= piece.length
        yield piece
      }
    },
    /** Nothing may come behind the last chunk. */
    async end(): Promise<void> {
      if (rest.length > 0 || !(await pieces.next()).done) throw malformed()
    },
    close: () => pieces.return?.(),
  }
}

/** How each chunk is signed, in a chain that begins with the signature of the request. */
export function chunkSigner({ time, scope, signature }: Signature, key: Buffer) {
  let before = signature
  function check(kind: string, content: readonly string[], theirs: string): void {
    const text = [`${algorithm}-${kind}`, time, scope, before, ...content].join('\n')
    if (!isSameSignature(hmac(key, text), theirs)) throw mismatch()
    before = theirs
  }
  return {
    chunk: (hash: string, theirs: string) => check('PAYLOAD', [emptyHash, hash], theirs),
    trailer: (text: string, theirs: string) =>
      check('TRAILER', [createHash('sha256').update(text, 'latin1').digest('hex')], theirs),
  }
}

type Options = {
  /** Undefined: the chunks are not signed. */
  signer: ReturnType<typeof chunkSigner> | undefined
  /** Whether trailers come behind the last chunk. */
  hasTrailer: boolean
  /** The trailers, once all bytes have come, by their names. */
  onTrailers: (trailers: Map<string, string>) => void
}

/** The bytes of a body in the coding `aws-chunked`. @throws S3Error */
export async function* fromChunks(
  source: AsyncIterable<Uint8Array>,
  { signer, hasTrailer, onTrailers }: Options,
): AsyncIterable<Uint8Array> {
  const reader = reading(source)
  try {
    for (;;) {
      const [, digits = '', signature = ''] =
        /^([0-9a-fA-F]{1,8})(?:;chunk-signature=([0-9a-f]{64}))?$/.exec(await reader.line()) ?? []
      const size = Number.parseInt(digits, 16)
      if (Number.isNaN(size) || size > largestChunk) throw malformed()
      if ((signer === undefined) !== (signature === '')) throw mismatch()
      const hash = signer && createHash('sha256')
      for await (const piece of reader.take(size)) {
        hash?.update(piece)
        yield piece
      }
      if (hash) signer?.chunk(hash.digest('hex'), signature)
      if (size === 0) break
      if ((await reader.line()) !== '') throw malformed()
    }
    onTrailers(hasTrailer ? await readTrailers(reader, signer) : new Map())
    if (!hasTrailer && (await reader.line()) !== '') throw malformed()
    await reader.end()
  } finally {
    await reader.close()
  }
}

const signatureName = 'x-amz-trailer-signature'

async function readTrailers(
  reader: ReturnType<typeof reading>,
  signer: Options['signer'],
): Promise<Map<string, string>> {
  const trailers = new Map<string, string>()
  for (let line = await reader.line(); line !== ''; line = await reader.line()) {
    const [name = '', ...value] = line.split(':')
    trailers.set(name.trim().toLowerCase(), value.join(':').trim())
    if (trailers.size > 20)
      throw new S3Error('MalformedTrailerError', 'The body has too many trailers')
  }
  if (signer) {
    const theirs = trailers.get(signatureName) ?? ''
    trailers.delete(signatureName)
    signer.trailer([...trailers].map(([name, value]) => `${name}:${value}\n`).join(''), theirs)
  }
  return trailers
}
