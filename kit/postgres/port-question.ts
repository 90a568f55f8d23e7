import { createConnection } from 'node:net'

/**
 * A packet in the shape of the Postgres protocol by which a program on this machine asks a port for which project it is
 * held. Our gateway answers with the ref and a line feed; any server that is no gateway refuses it as an unknown protocol.
 */
export const portQuestion = Buffer.from([0, 0, 0, 8, 0x50, 0x4c, 0x4e, 0x54])

const longestAnswer = 100

/** The ref of the project for which our gateway holds this port; undefined where something else answers, or nothing does. */
export function holderOf(port: number, timeoutMs = 1000): Promise<string | undefined> {
  return new Promise((resolve) => {
    const socket = createConnection({ port, host: '127.0.0.1' })
    let answer = ''
    const timer = setTimeout(() => socket.destroy(), timeoutMs)
    socket.once('connect', () => socket.write(portQuestion))
    socket.on('data', (chunk) => {
      answer += chunk.toString('latin1')
      if (answer.length > longestAnswer) socket.destroy()
    })
    // A refused connection ends like one without an answer.
    socket.on('error', () => socket.destroy())
    socket.once('close', () => {
      clearTimeout(timer)
      resolve(/^([a-z]+)\n$/.exec(answer)?.[1])
    })
  })
}
