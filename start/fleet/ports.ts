import { createServer, type AddressInfo } from 'node:net'

/** Ports of 127.0.0.1 that nobody has now, all of them different. */
export async function freePorts(count: number): Promise<number[]> {
  const held = await Promise.all(
    Array.from(
      { length: count },
      () =>
        new Promise<ReturnType<typeof createServer>>((resolve, reject) => {
          const server = createServer().once('error', reject)
          server.listen(0, '127.0.0.1', () => resolve(server))
        }),
    ),
  )
  const ports = held.map((server) => (server.address() as AddressInfo).port)
  await Promise.all(held.map((server) => new Promise((resolve) => server.close(resolve))))
  return ports
}
