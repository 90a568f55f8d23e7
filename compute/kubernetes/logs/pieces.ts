import { StringDecoder } from 'node:string_decoder'

/** Cuts what comes in pieces into lines, for who is trusted not to write without an end. */
export function createPieces() {
  const decoder = new StringDecoder('utf8')
  let rest = ''
  return function* linesOf(piece: Buffer): Generator<string> {
    const lines = (rest + decoder.write(piece)).split('\n')
    rest = lines.pop() ?? ''
    yield* lines.filter(Boolean)
  }
}
