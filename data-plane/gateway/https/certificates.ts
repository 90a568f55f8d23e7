import { constants, X509Certificate } from 'node:crypto'
import { createSecureContext, type SecureContext } from 'node:tls'
import type { WantedHostname } from '#contract/internal-api'
import type { Log } from '#kit/log'
import type { CertificateSource, OwnCertificate } from './source.ts'

type Options = {
  source: Pick<CertificateSource, 'certificateOf'>
  own?: OwnCertificate | undefined
  log: Log
}
type Held = { version: string; context: SecureContext }

/** After this long a certificate that could not be had is asked for again. */
const againMs = 5000

const tlsOptions = {
  minVersion: 'TLSv1.2',
  // A session that is taken up again would go by the certificate of the one before, which may have passed to somebody else.
  secureOptions: constants.SSL_OP_NO_RENEGOTIATION | constants.SSL_OP_NO_TICKET,
} as const

/** The certificates of all names that have one, replaced as they change. Connections that there are go on. */
export function createCertificates({ source, own, log }: Options) {
  const held = new Map<string, Held>()
  let wanted: readonly WantedHostname[] = []
  /** Names of the installation itself. */
  let installation = new Set<string>()
  let running: Promise<void> | undefined
  let isOutOfDate = false
  let again: NodeJS.Timeout | undefined
  let read: { pem: string; certificate: X509Certificate } | undefined
  let closed = false

  async function take(hostname: string): Promise<boolean> {
    try {
      const found = await source.certificateOf(hostname)
      if (!found) {
        held.delete(hostname)
        return true
      }
      const { version, certificate: cert, key } = found
      held.set(hostname, { version, context: createSecureContext({ cert, key, ...tlsOptions }) })
      return true
    } catch (error) {
      log.warn({ err: error, hostname }, 'A certificate could not be taken over')
      return false
    }
  }

  async function look(): Promise<void> {
    while (isOutOfDate && !closed) {
      isOutOfDate = false
      const versions = new Map(
        wanted.flatMap(({ hostname, certificate }) =>
          certificate === undefined ? [] : [[hostname, certificate] as const],
        ),
      )
      // At once: who has the name next must never be met with it.
      for (const hostname of held.keys()) if (!versions.has(hostname)) held.delete(hostname)
      let isWhole = true
      for (const [hostname, version] of versions) {
        if (closed) return
        if (held.get(hostname)?.version !== version) isWhole = (await take(hostname)) && isWhole
      }
      clearTimeout(again)
      if (isWhole || closed) continue
      again = setTimeout(() => followUp(), againMs)
      again.unref()
    }
  }
  function followUp(): void {
    isOutOfDate = true
    running ??= look().finally(() => {
      running = undefined
      if (isOutOfDate && !closed) followUp()
    })
  }

  /** Whether the operator's certificate is for a name. */
  function isOwn(hostname: string): boolean {
    const pem = own?.certificate()
    if (pem === undefined) return false
    if (read?.pem !== pem) read = { pem, certificate: new X509Certificate(pem) }
    return read.certificate.checkHost(hostname, { subject: 'never' }) !== undefined
  }

  return {
    /** Which names there are now. */
    follow(hostnames: readonly WantedHostname[]): void {
      wanted = hostnames
      installation = new Set(
        hostnames.filter(({ ref }) => ref === null).map(({ hostname }) => hostname),
      )
      followUp()
    },
    /** With what a name is proved; undefined: with nothing. */
    contextOf(hostname: string): SecureContext | undefined {
      const ordered = held.get(hostname)?.context
      // A project's name has the certificate of its own first, one of the installation that of its operator.
      if (ordered && !installation.has(hostname)) return ordered
      return isOwn(hostname) ? own?.context() : ordered
    },
    has: (hostname: string): boolean => held.has(hostname) || isOwn(hostname),
    close(): void {
      closed = true
      clearTimeout(again)
    },
  }
}
export type Certificates = ReturnType<typeof createCertificates>
