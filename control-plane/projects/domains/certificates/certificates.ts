import type { HostnameCertificate } from '#contract/projects/domains'
import { ApiError } from '#kit/errors'
import type { Caller, Origin } from '#kit/http'
import type { Log } from '#kit/log'
import type { Secrets } from '#kit/secrets'
import type { EachSubject } from '#kit/subjects'
import type { Audited } from '../../../audited.ts'
import type { RecordChange } from '../../../organizations/audit/audit.ts'
import type { Tx } from '../../../platform-database/database.ts'
import type { Acme } from './acme.ts'
import type { AttemptsStore } from './attempts-store.ts'
import type { CertificateRow, CertificateStore } from './certificate-store.ts'
import type { InstallationCertificates } from './installation-certificates.ts'
import { createOrders, limitText } from './orders.ts'
import { attemptMemoryMs } from './timing.ts'

type Deps = {
  store: CertificateStore
  attempts: AttemptsStore
  /** Those of the installation's own names, which come first. */
  installation: InstallationCertificates
  /** Undefined: this installation gets no certificates by itself. */
  acme: Acme | undefined
  secrets: Pick<Secrets, 'seal' | 'open'>
  audited: Audited
  record: RecordChange
  notify: (tx: Tx, ref: string) => Promise<void>
  each: EachSubject
  now: () => Date
  log: Log
}
type By = { caller: Caller; ref: string; origin: Origin }

const keyIdentity = (projectId: string, hostname: string) =>
  `certificate of ${hostname} of project ${projectId}`
const accountIdentity = (directory: string) => `account at ${directory}`

/** Certificates of custom hostnames: ordered once a name is served, and again long before they end. */
export function createCertificates(deps: Deps) {
  const { store, attempts, installation, acme, secrets } = deps
  const { audited, record, notify, each, now, log } = deps

  async function accountKey({ directory, newAccountKey }: Acme): Promise<string> {
    const identity = accountIdentity(directory)
    const make = async () => secrets.seal(await newAccountKey(), identity)
    return secrets.open(await attempts.accountKey(directory, make, now()), identity)
  }

  const orders = createOrders({
    book: store.book,
    work: 'certificates',
    keyIdentity: ({ project_id, hostname }) => keyIdentity(project_id, hostname),
    async issued(tx, { organization_id, ref, name, hostname }, { notAfter }) {
      await record(tx, {
        organizationId: organization_id,
        actor: null,
        action: 'domains.certificate',
        target: `project:${ref}`,
        change: { name, after: { hostname, until: notAfter.toISOString() } },
        origin: null,
      })
      await notify(tx, ref)
    },
    accountKey,
    secrets,
    each,
    now,
    log,
  })

  async function run(by: Acme): Promise<void> {
    await attempts.forget(new Date(now().getTime() - attemptMemoryMs))
    await installation.order(by, accountKey)
    await store.enroll(now())
    await orders.run(by, ({ ref }) => ref)
  }
  let last: Promise<void> = Promise.resolve()
  async function round(): Promise<void> {
    if (!acme) return
    last = last.catch(() => undefined).then(() => (acme.isEnding() ? undefined : run(acme)))
    await last
  }

  return {
    /** Orders what is due, once the round before is through. */
    round,

    /** Does not let somebody wait for the next round. Which program it is does not matter: an order begins once. */
    beginSoon(): void {
      round().catch((error: unknown) => log.warn({ err: error }, 'Certificates are ordered later'))
    },

    /** Has the next order begin now, after one that failed. */
    retry: (by: By): Promise<unknown> =>
      audited(by, 'domains.retry-certificate', async (tx, project) => {
        const row = await store.find(project.id, tx)
        if (!acme || !row || row.failure === null || row.attempt !== null)
          throw new ApiError('certificate_not_needed')
        const { hostname } = row
        const { organization_id } = project
        const until = await store.limitedUntil(tx, { hostname, organization_id }, now())
        if (until) throw new ApiError('certificate_limit', limitText(until))
        await store.orderNow(tx, project.id, now())
        return { change: { after: { hostname } } }
      }),

    /** How far it has come, for the owner of a name that is served. */
    async stateOf(projectId: string): Promise<HostnameCertificate | null> {
      if (!acme) return null
      return shape(await store.find(projectId), now())
    },

    async keyPair(hostname: string) {
      const own = await installation.keyPair(hostname)
      if (own) return own
      const row = await store.current(hostname)
      if (!row?.certificate || !row.sealed_key || !row.version) throw new ApiError('not_found')
      const key = secrets.open(row.sealed_key, keyIdentity(row.project_id, hostname))
      return { version: row.version, certificate: row.certificate, key }
    },

    answer: async (hostname: string, token: string) =>
      (await installation.answer(hostname, token)) ?? store.answer(hostname, token),
    async close(): Promise<void> {
      await acme?.close()
      // Whoever waits for it has been told.
      await last.catch(() => undefined)
    },
  }
}
export type Certificates = ReturnType<typeof createCertificates>

function shape(row: CertificateRow | undefined, now: Date): HostnameCertificate {
  if (!row) return { state: 'issuing', until: null, failure: null, next_at: null }
  const { not_after: until, attempt } = row
  const isValid = until !== null && until > now
  const failure = row.failure ?? (until !== null && !isValid ? 'The certificate has expired' : null)
  return {
    state: isValid ? 'active' : failure === null ? 'issuing' : 'failed',
    until: until?.toISOString() ?? null,
    failure,
    next_at: attempt === null ? row.next_at.toISOString() : null,
  }
}
