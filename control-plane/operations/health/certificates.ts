import { isIP } from 'node:net'
import { connect } from 'node:tls'
import type { CertificateState } from '#contract/operations/health'

type Deps = {
  /** Of the dashboard, and of projects with `{ref}` in it. */
  addresses: readonly string[]
  /** Of names that the installation orders certificates for by itself: why the last order failed. */
  failures: () => Promise<ReadonlyMap<string, string>>
  now: () => Date
}
type Target = { host: string; port: number }
/** What an address itself shows. */
type Shown = Omit<CertificateState, 'order_failure'>

const hourMs = 3_600_000
/** How soon an address that could not be read is asked again. */
const againMs = 5 * 60_000
const limitMs = 5_000

/**
 * The certificates that our own addresses show to browsers. Whatever stands in front of it has them, or its data planes.
 * Each address is asked once an hour, by the beginning of a TLS connection.
 */
export function createCertificateLook({ addresses, failures, now }: Deps) {
  const targets = new Map(addresses.flatMap(targetOf).map((one) => [nameOf(one), one]))
  const known = new Map<string, { state: Shown; until: number }>()

  async function lookAt(name: string, target: Target): Promise<Shown> {
    const before = known.get(name)
    if (before && now().getTime() < before.until) return before.state
    const state = await endOf(target).then(
      (ends) => ({ host: name, ends_at: ends.toISOString(), why: null }),
      (error: unknown) => ({
        host: name,
        // What was read before still holds when the address does not answer now.
        ends_at: before?.state.ends_at ?? null,
        why: error instanceof Error ? error.message : String(error),
      }),
    )
    known.set(name, { state, until: now().getTime() + (state.why === null ? hourMs : againMs) })
    return state
  }

  return {
    absent:
      targets.size > 0
        ? null
        : 'The addresses of this installation are http, so there is no certificate to look at.',
    async look(): Promise<CertificateState[]> {
      if (targets.size === 0) return []
      const failed = await failures()
      return Promise.all(
        [...targets].map(async ([name, target]) => ({
          ...(await lookAt(name, target)),
          order_failure: failed.get(target.host) ?? null,
        })),
      )
    },
  }
}

const nameOf = ({ host, port }: Target) => (port === 443 ? host : `${host}:${port}`)

function targetOf(address: string): Target[] {
  // Where each project has a host name of its own, one certificate stands for all of them.
  const filled = address.replaceAll('{ref}', 'ref')
  if (!URL.canParse(filled)) return []
  const { protocol, hostname, port } = new URL(filled)
  return protocol === 'https:' ? [{ host: hostname, port: Number(port || 443) }] : []
}

/** Until when the certificate holds; whether it is trusted is for browsers to say. */
const endOf = ({ host, port }: Target): Promise<Date> =>
  new Promise((resolve, reject) => {
    const bare = host.replace(/^\[(.*)\]$/, '$1')
    const socket = connect({
      host: bare,
      port,
      rejectUnauthorized: false,
      ...(isIP(bare) ? {} : { servername: bare }),
    })
    const end = (settle: () => void) => {
      socket.destroy()
      settle()
    }
    socket.setTimeout(limitMs, () => end(() => reject(new Error(`${host} does not answer`))))
    socket.once('error', (error) => end(() => reject(error)))
    socket.once('secureConnect', () => {
      const { valid_to } = socket.getPeerCertificate()
      const ends = new Date(valid_to)
      end(() =>
        Number.isNaN(ends.getTime())
          ? reject(new Error(`${host} shows no certificate`))
          : resolve(ends),
      )
    })
  })
