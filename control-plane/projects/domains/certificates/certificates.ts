import { randomUUID } from 'node:crypto'
import type { HostnameCertificate } from '#contract/projects/domains'
import { ApiError } from '#kit/errors'
import type { Caller, Origin } from '#kit/http'
import type { Log } from '#kit/log'
import type { Secrets } from '#kit/secrets'
import type { EachSubject } from '#kit/subjects'
import type { Audited } from '../../../audited.ts'
import type { RecordChange } from '../../../organizations/audit/audit.ts'
import type { Tx } from '../../../platform-database/database.ts'
import { AcmeError } from './acme-transport.ts'
import type { Acme } from './acme.ts'
import type { CertificateRow, CertificateStore, DueName } from './certificate-store.ts'
import { checkCertificate } from './checked.ts'
import { attemptMemoryMs, orderMs, renewAt, waitAfter } from './timing.ts'

type Deps = {
  store: CertificateStore
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

/** Orders that go on at a time: an authority may take a minute for each. */
const width = 4

const keyIdentity = (projectId: string, hostname: string) =>
  `certificate of ${hostname} of project ${projectId}`
const accountIdentity = (directory: string) => `account at ${directory}`
const limitText = (until: Date) =>
  `There were too many orders for certificates. Try again after ${until.toISOString().slice(0, 16).replace('T', ' ')} UTC`

/** Certificates of custom hostnames: ordered once a name is served, and again long before they end. */
export function createCertificates(deps: Deps) {
  const { store, acme, secrets, audited, record, notify, each, now, log } = deps

  async function accountKey({ directory, newAccountKey }: Acme): Promise<string> {
    const identity = accountIdentity(directory)
    const make = async () => secrets.seal(await newAccountKey(), identity)
    return secrets.open(await store.accountKey(directory, make, now()), identity)
  }

  /** Undefined: it is none's turn, or there were too many. */
  const claim = (name: DueName): Promise<string | undefined> =>
    store.transaction(async (tx) => {
      const at = now()
      const until = await store.limitedUntil(tx, name, at)
      if (until) {
        await store.postpone(tx, name, { next_at: until, failure: limitText(until) })
        return undefined
      }
      const attempt = randomUUID()
      const lease = new Date(at.getTime() + orderMs)
      return (await store.begin(tx, name, { attempt, at, until: lease })) ? attempt : undefined
    })

  async function obtain(by: Acme, name: DueName, attempt: string): Promise<void> {
    const { project_id, hostname, ref } = name
    const made = await by.obtain(await accountKey(by), {
      hostname,
      async answerWith(token, answer) {
        if (!(await store.challenge({ project_id, attempt }, token, answer)))
          throw new AcmeError('The hostname is not served any more')
      },
    })
    const checked = checkCertificate(made.certificate, { hostname, key: made.key, now: now() })
    const sealedKey = secrets.seal(made.key, keyIdentity(project_id, hostname))
    const nextAt = renewAt(checked)
    await store.transaction(async (tx) => {
      // Whoever has given the name up meanwhile gets nothing for it.
      if (!(await store.succeeded(tx, { project_id, attempt }, checked, { sealedKey, nextAt })))
        return
      await record(tx, {
        organizationId: name.organization_id,
        actor: null,
        action: 'domains.certificate',
        target: `project:${ref}`,
        change: { name: name.name, after: { hostname, until: checked.notAfter.toISOString() } },
        origin: null,
      })
      await notify(tx, ref)
    })
  }

  async function order(by: Acme, name: DueName): Promise<void> {
    const attempt = await claim(name)
    if (attempt === undefined) return
    const { project_id, hostname } = name
    try {
      await obtain(by, name, attempt)
    } catch (error) {
      if (by.isEnding()) return store.brokenOff({ project_id, attempt }, now())
      const failure = error instanceof Error ? error.message : String(error)
      const failures = name.failures + 1
      const wait = waitAfter(failures, error instanceof AcmeError ? error.retryAfterMs : 0)
      log.warn({ hostname, failures, failure }, 'A hostname got no certificate')
      const next_at = new Date(now().getTime() + wait)
      await store.failed({ project_id, attempt }, { failure, failures, next_at })
    }
  }

  async function run(by: Acme): Promise<void> {
    await store.enroll(now())
    await store.forgetAttempts(new Date(now().getTime() - attemptMemoryMs))
    const due = await store.due(now())
    await each(
      'certificates',
      due,
      ({ ref }) => ref,
      (name) => order(by, name),
      { width },
    )
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
      const row = await store.current(hostname)
      if (!row?.certificate || !row.sealed_key || !row.version) throw new ApiError('not_found')
      const key = secrets.open(row.sealed_key, keyIdentity(row.project_id, hostname))
      return { version: row.version, certificate: row.certificate, key }
    },

    answer: store.answer,
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
