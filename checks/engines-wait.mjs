import { readFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'

export async function freePort() {
  const server = createServer()
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address()
  await new Promise((resolve) => server.close(resolve))
  return port
}

/** Until a server answers; what it has said by then is told when it does not. */
export async function answered(name, url, log, child) {
  const latest = Date.now() + 30_000
  for (;;) {
    const hasEnded = child.exitCode !== null
    const isThere =
      !hasEnded &&
      (await fetch(url).then(
        () => true,
        () => false,
      ))
    if (isThere) return
    if (hasEnded || Date.now() > latest)
      throw new Error(
        `${name} does not answer at ${url}\n${readFileSync(log, 'utf8').slice(-4000)}`,
      )
    await wait(100)
  }
}
