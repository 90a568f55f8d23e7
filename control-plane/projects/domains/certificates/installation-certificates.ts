import type { HostnameKeyPair, WantedHostname } from '#contract/internal-api'
import type { Log } from '#kit/log'
import type { Secrets } from '#kit/secrets'
import type { EachSubject } from '#kit/subjects'
import type { Tx } from '../../../platform-database/database.ts'
import type { Acme } from './acme.ts'
import type { InstallationStore } from './installation-store.ts'
import { createOrders } from './orders.ts'

/** The names of an installation itself that are served over HTTPS. */
export type InstallationHosts = {
  hostnames: readonly string[]
  /** Whether its operator gives the certificate of a name. Rejects while nobody can tell. */
  isGiven: (hostname: string) => Promise<boolean>
}

type Deps = {
  store: InstallationStore
  /** Undefined: none of its names is served, or none gets a certificate by itself. */
  hosts: InstallationHosts | undefined
  secrets: Pick<Secrets, 'seal' | 'open'>
  /** Tells data planes that names have changed. */
  notify: (tx: Tx) => Promise<void>
  each: EachSubject
  now: () => Date
  log: Log
}

const keyIdentity = (hostname: string) => `certificate of ${hostname} of the installation`

/** Certificates of the installation's own names: ordered as those of custom hostnames are, but where the operator gives them. */
export function createInstallationCertificates(deps: Deps) {
  const { store, secrets, notify, each, now, log } = deps
  const { hostnames = [], isGiven = async () => false } = deps.hosts ?? {}
  let isFirst = true

  /** Those for which the operator gives no certificate. */
  async function ordered(): Promise<string[]> {
    const names: string[] = []
    for (const hostname of hostnames) {
      const given = await isGiven(hostname).catch((error: unknown) => {
        log.warn(
          { err: error, hostname },
          'No certificate is ordered while the given one is unknown',
        )
        return true
      })
      if (!given) names.push(hostname)
    }
    return names
  }

  return {
    /** Orders what is due. */
    async order(by: Acme, accountKey: (by: Acme) => Promise<string>): Promise<void> {
      if (hostnames.length === 0) return
      const names = await ordered()
      await store.enroll(names, hostnames, now())
      // A restart is how an operator says that something was mended; the limits hold all the same.
      if (isFirst) await store.orderFailedNow(now())
      isFirst = false
      const orders = createOrders({
        book: store.book(names),
        work: 'certificates of the installation',
        keyIdentity: ({ hostname }) => keyIdentity(hostname),
        async issued(tx, { hostname }, { notAfter }) {
          log.info({ hostname, until: notAfter }, 'A name of the installation has a certificate')
          await notify(tx)
        },
        accountKey,
        secrets,
        each,
        now,
        log,
      })
      await orders.run(by, ({ hostname }) => hostname)
    },

    /** For data planes: the names, and which certificate each has now. */
    async wanted(): Promise<WantedHostname[]> {
      if (hostnames.length === 0) return []
      const versions = new Map(
        (await store.versions(hostnames)).map(({ hostname, version }) => [hostname, version]),
      )
      return hostnames.map((hostname) => {
        const certificate = versions.get(hostname) ?? undefined
        return { hostname, ref: null, ...(certificate !== undefined && { certificate }) }
      })
    },

    /** Undefined: it is none of its names, or has none. */
    async keyPair(hostname: string): Promise<HostnameKeyPair | undefined> {
      if (!hostnames.includes(hostname)) return undefined
      const { certificate, sealed_key: sealed, version } = (await store.current(hostname)) ?? {}
      if (!certificate || !sealed || !version) return undefined
      return { version, certificate, key: secrets.open(sealed, keyIdentity(hostname)) }
    },

    /** Null: nothing is to be answered. */
    async answer(hostname: string, token: string): Promise<string | null> {
      return hostnames.includes(hostname) ? store.answer(hostname, token) : null
    },
  }
}
export type InstallationCertificates = ReturnType<typeof createInstallationCertificates>
