import { generateKeyPairSync } from 'node:crypto'
import type { AddressInfo } from 'node:net'
import { createServer } from 'node:tls'
import { expect, onTestFinished, test } from 'vitest'
import { selfSigned } from '#kit/network/self-signed'
import { createCertificateLook } from './certificates.ts'

async function startTls(until: Date): Promise<number> {
  const { publicKey, privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
  const body = selfSigned({ publicKey, privateKey, commonName: 'localhost', until })
  const server = createServer({
    cert: `-----BEGIN CERTIFICATE-----\n${body.replaceAll(/(.{64})/g, '$1\n')}\n-----END CERTIFICATE-----`,
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }),
  })
  server.on('tlsClientError', () => undefined)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', () => resolve()))
  onTestFinished(() => {
    server.close()
  })
  // A server that listens on a port has an address.
  return (server.address() as AddressInfo).port
}
const now = () => new Date()
const failures = async () => new Map<string, string>()

test('an installation of http has no certificate, and says so', async () => {
  const look = createCertificateLook({
    addresses: ['http://localhost:8000', 'http://localhost:8001/{ref}'],
    failures,
    now,
  })
  expect(look.absent).toContain('http')
  expect(await look.look()).toEqual([])
})

test('an address says until when its certificate holds; both addresses at one server are one', async () => {
  const until = new Date('2031-05-06T07:08:09Z')
  const port = await startTls(until)
  const address = `https://127.0.0.1:${port}`
  const look = createCertificateLook({
    addresses: [address, `${address}/{ref}`],
    failures,
    now,
  })
  expect(look.absent).toBeNull()
  expect(await look.look()).toEqual([
    { host: `127.0.0.1:${port}`, ends_at: until.toISOString(), why: null, order_failure: null },
  ])
})

test('an address that does not answer is told of, and is no certificate that ends', async () => {
  const look = createCertificateLook({
    addresses: ['https://127.0.0.1:1'],
    failures: async () => new Map([['127.0.0.1', 'refused']]),
    now,
  })
  expect(await look.look()).toMatchObject([
    {
      host: '127.0.0.1:1',
      ends_at: null,
      why: expect.stringContaining('ECONNREFUSED'),
      order_failure: 'refused',
    },
  ])
})
