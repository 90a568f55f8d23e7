import { once } from 'node:events'
import { createConnection, type Socket } from 'node:net'

/** Sends the same kind of request over `connections` kept-alive connections, one at a time on each, for `ms`. Counts the answers. */
export async function httpLoad(
  at: { host: string; port: number },
  connections: number,
  ms: number,
  request: () => string,
): Promise<number> {
  const end = performance.now() + ms
  const counts = await Promise.all(
    Array.from({ length: connections }, () => oneConnection(at, end, request)),
  )
  return counts.reduce((a, b) => a + b, 0)
}

/** The same; the milliseconds that each answer took. */
export async function httpTimes(
  at: { host: string; port: number },
  connections: number,
  ms: number,
  request: () => string,
): Promise<number[]> {
  const end = performance.now() + ms
  const took: number[] = []
  const one = async () => {
    const socket = createConnection(at)
    await once(socket, 'connect')
    socket.setNoDelay(true)
    for (let start = performance.now(); start < end; start = performance.now()) {
      socket.write(request())
      await answer(socket)
      took.push(performance.now() - start)
    }
    socket.destroy()
  }
  await Promise.all(Array.from({ length: connections }, one))
  return took
}

/** Milliseconds until the one request of a new connection is answered. */
export async function oneAnswer(
  at: { host: string; port: number },
  request: string,
): Promise<number> {
  const start = performance.now()
  const socket = createConnection(at)
  await once(socket, 'connect')
  socket.write(request)
  await answer(socket)
  socket.destroy()
  return performance.now() - start
}

/** The milliseconds that requests take, one after the other on one kept-alive connection for `ms`, the shortest first. */
export async function httpLatency(
  at: { host: string; port: number },
  ms: number,
  request: string,
): Promise<number[]> {
  const socket = createConnection(at)
  await once(socket, 'connect')
  socket.setNoDelay(true)
  const took: number[] = []
  const end = performance.now() + ms
  for (let start = performance.now(); start < end; start = performance.now()) {
    socket.write(request)
    await answer(socket)
    took.push(performance.now() - start)
  }
  socket.destroy()
  return took.toSorted((a, b) => a - b)
}

async function oneConnection(
  at: { host: string; port: number },
  end: number,
  request: () => string,
): Promise<number> {
  const socket = createConnection(at)
  await once(socket, 'connect')
  socket.setNoDelay(true)
  let count = 0
  while (performance.now() < end) {
    socket.write(request())
    await answer(socket)
    count++
  }
  socket.destroy()
  return count
}

/** Waits for one whole answer. A body whose end cannot be told, or another status than 200 and 201, ends the measurement. */
function answer(socket: Socket): Promise<void> {
  return new Promise((done, fail) => {
    let text = ''
    const onData = (chunk: Buffer) => {
      text += chunk.toString('latin1')
      const head = text.indexOf('\r\n\r\n')
      if (head < 0) return
      const length = /content-length: (\d+)/i.exec(text)?.[1]
      const chunked = /transfer-encoding: chunked/i.test(text.slice(0, head))
      if (!/^HTTP\/1\.1 20[01] /.test(text) || (length === undefined && !chunked)) {
        finish(new Error(`Unexpected answer: ${text.slice(0, 500)}`))
      } else if (chunked ? text.endsWith('0\r\n\r\n') : text.length >= head + 4 + Number(length)) {
        finish()
      }
    }
    const finish = (error?: Error) => {
      socket.off('data', onData).off('error', fail)
      if (error) fail(error)
      else done()
    }
    socket.on('data', onData).once('error', fail)
  })
}
