import type { Socket } from 'node:net'

/** One message; `whole` has its header too. */
export type Message = { kind: string; body: Buffer; whole: Buffer }

/** The other side has ended, has taken too long, or does not speak the protocol. */
export class DialogError extends Error {
  override name = 'DialogError'
}

/**
 * Reads one message after the other from a socket, for the time in which two sides take turns. The socket is paused whenever nobody
 * waits; what was read beyond the last message is in `rest`.
 */
export function createDialog(socket: Socket, deadlineMs: number, first: Buffer = Buffer.alloc(0)) {
  let bytes = first
  let wake: (() => void) | undefined
  let isOver = false
  let hasLeft = false
  const end = () => {
    isOver = true
    wake?.()
  }
  const timer = setTimeout(end, deadlineMs)
  const onData = (chunk: Buffer) => {
    bytes = bytes.length === 0 ? chunk : Buffer.concat([bytes, chunk])
    socket.pause()
    wake?.()
  }
  socket.on('data', onData).once('end', end).once('close', end)
  socket.pause()

  function take(longest: number): Message | undefined {
    if (bytes.length < 5) return undefined
    const length = bytes.readInt32BE(1) + 1
    if (length < 5 || length > longest + 5) throw new DialogError('A message is too long')
    if (bytes.length < length) return undefined
    const whole = bytes.subarray(0, length)
    bytes = bytes.subarray(length)
    return { kind: String.fromCharCode(whole[0] ?? 0), body: whole.subarray(5), whole }
  }
  return {
    /** The next one, of `longest` bytes at most. @throws DialogError */
    async next(longest: number): Promise<Message> {
      for (;;) {
        const found = take(longest)
        if (found) return found
        if (isOver || socket.destroyed) throw new DialogError('The other side has ended')
        await new Promise<void>((resolve) => {
          wake = resolve
          socket.resume()
        })
        wake = undefined
      }
    },
    rest: () => bytes,
    /** Reads no more. The socket stays paused. */
    leave(): void {
      if (hasLeft) return
      hasLeft = true
      clearTimeout(timer)
      socket.pause()
      socket.off('data', onData).off('end', end).off('close', end)
    },
  }
}
export type Dialog = ReturnType<typeof createDialog>
