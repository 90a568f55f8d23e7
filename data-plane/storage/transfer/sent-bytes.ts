import type { FastifyReply } from 'fastify'

/**
 * Tells how many bytes an answer has put on its connection, its headers with them, when it ends: all of it, or as much as
 * came through until somebody hung up.
 */
export function countSent({ raw }: FastifyReply, sent: (bytes: number) => void): void {
  const { socket } = raw
  const written = () => socket?.bytesWritten ?? 0
  const before = written()
  let isDone = false
  function count(): void {
    if (isDone) return
    isDone = true
    sent(socket ? written() - before : withoutSocket())
  }
  /** It waited behind another answer on the same connection, which had the socket when this one began. */
  const withoutSocket = () =>
    raw.writableFinished ? Number(raw.getHeader('content-length') ?? 0) : 0
  // Before the server's own listener, which lets the next answer write.
  raw.prependOnceListener('finish', count)
  raw.once('close', count)
}
