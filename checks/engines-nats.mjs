import { spawnSync } from 'node:child_process'
import { openSync } from 'node:fs'
import { join } from 'node:path'
import { answered, freePort } from './engines-wait.mjs'

/** A NATS server of this machine alone, with its answers to `/healthz` beside it. */
export async function startNatsServer({ folder, start }) {
  const [port, monitor] = [await freePort(), await freePort()]
  const log = join(folder, 'nats.log')
  const out = openSync(log, 'a')
  const listen = ['-a', '127.0.0.1', '-p', String(port), '-m', String(monitor)]
  const child = start('nats-server', listen, { stdio: ['ignore', out, out] })
  await answered('nats-server', `http://127.0.0.1:${monitor}/healthz`, log, child)
  const PATH = `${process.env.PATH}:/usr/sbin`
  const { stdout } = spawnSync('nats-server', ['--version'], { env: { PATH }, encoding: 'utf8' })
  return {
    version: /v?(\d[\w.]*)/.exec(stdout)?.[1] ?? 'of an unknown version',
    env: { PLINTH_NATS_URL: `nats://127.0.0.1:${port}` },
  }
}
