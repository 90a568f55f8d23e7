import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { connect as connectPlain } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { connect, type ConnectionOptions } from 'node:tls'
import { silentLog } from '#kit/log'
import { createEncryption } from '../postgres-gateway/tls/encryption.ts'

/** Asks for TLS, as a client of Postgres does. */
export const sslRequest = Buffer.from([0, 0, 0, 8, 4, 210, 22, 47])

/** Certificates of an authority of its own, for `localhost`, 127.0.0.1 and the names below `db.localhost`. */
export async function testEncryption() {
  const folder = await mkdtemp(join(tmpdir(), 'plinth-tls-'))
  const encryption = await createEncryption({
    file: join(folder, 'authority.pem'),
    hosts: ['localhost', 'db.localhost', '127.0.0.1'],
    log: silentLog,
  })
  const ca = encryption.authority() ?? ''
  const caFile = join(folder, 'ca.crt')
  await writeFile(caFile, ca)
  return {
    encryption,
    ca,
    /** The path of a file with it. */
    caFile,
    async remove() {
      encryption.close()
      await rm(folder, { recursive: true })
    },
  }
}

/**
 * An encrypted connection to `port` that has sent nothing yet; `direct`: it did not ask first. `ended`: what came until its end, as
 * latin1, or the error that broke it off.
 */
export async function rawTls(
  port: number,
  options: ConnectionOptions,
  { direct = false } = {},
): Promise<{ write(bytes: Buffer): void; ended: Promise<string>; destroy(): void }> {
  const plain = connectPlain({ port, host: '127.0.0.1' })
  if (!direct) {
    plain.write(sslRequest)
    await new Promise<void>((resolve) => plain.once('data', () => resolve()))
  }
  const socket = connect({ socket: plain, host: '127.0.0.1', ...options })
  let answer = ''
  let broken = ''
  socket.on('data', (chunk) => (answer += chunk.toString('latin1')))
  socket.on('error', (error) => (broken = String(error)))
  const ended = new Promise<string>((resolve) =>
    socket.once('close', () => resolve(answer || broken)),
  )
  return {
    write: (bytes) => void socket.write(bytes),
    ended,
    destroy: () => void socket.destroy(),
  }
}
