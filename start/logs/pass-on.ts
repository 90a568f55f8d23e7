import type { Readable, Writable } from 'node:stream'

/**
 * Writes what one program says to this one's own output, at the pace of whoever reads that, and shows it to `see` as well. When
 * nobody reads it any more, the program goes on all the same.
 */
export function passOn(from: Readable, to: Writable, see: (piece: Buffer) => void): void {
  from.on('data', (piece: Buffer) => {
    see(piece)
    if (to.destroyed || !to.writable || to.write(piece)) return
    from.pause()
    const events = ['drain', 'error', 'close'] as const
    const goOn = () => {
      for (const event of events) to.off(event, goOn)
      from.resume()
    }
    for (const event of events) to.once(event, goOn)
  })
}
