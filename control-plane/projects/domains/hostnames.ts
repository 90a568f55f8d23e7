import { randomBytes } from 'node:crypto'
import { ApiError } from '#kit/errors'
import type { Caller, Origin } from '#kit/http'
import type { EachSubject } from '#kit/subjects'
import type { Audited } from '../../audited.ts'
import type { RecordChange } from '../../organizations/audit/audit.ts'
import type { Tx } from '../../platform-database/database.ts'
import type { HostnameLook } from '../../platform-database/tables-projects.ts'
import { requireTarget, type InstallationNames } from './addresses.ts'
import type { Looks } from './looks.ts'
import type { Missing } from './missing.ts'
import { readHostname } from './names.ts'
import { plansOf } from './shape.ts'
import type { DomainStore, HostnameRow, Subject } from './store.ts'

type Deps = {
  store: DomainStore
  looks: Looks
  missing: Missing
  names: InstallationNames
  audited: Audited
  record: RecordChange
  notify: (tx: Tx, ref: string) => Promise<void>
  each: EachSubject
  now: () => Date
}
type By = { caller: Caller; ref: string; origin: Origin }

/** Records are looked at again after this long. */
const lookEveryMs = 10 * 60_000

const noHostname = () => new ApiError('not_found', 'The project has no custom hostname')

/** What is wrong with the records, for who wanted to activate the name. */
function lackOf({ cname, txt }: HostnameLook): string {
  const one = (what: string, state: string) =>
    state === 'different'
      ? `The ${what} record has another value`
      : state === 'missing'
        ? `The ${what} record was not found`
        : `No name server answered for the ${what} record`
  const lacks = [
    ...(cname.state === 'found' ? [] : [one('CNAME', cname.state)]),
    ...(txt.state === 'found' ? [] : [one('TXT', txt.state)]),
  ]
  return `${lacks.join('. ')}. DNS changes can take a while to propagate`
}

/**
 * The custom hostname of a project. Anybody may begin with any name; it becomes theirs when its DNS says so by a TXT record that was
 * made for this project, in this organization, this time.
 */
export function createHostnames(deps: Deps) {
  const { store, looks, missing, names, audited, record, notify, each, now } = deps

  async function subjectOf(ref: string, tx?: Tx): Promise<Subject> {
    const subject = await store.subject(ref, tx)
    if (!subject) throw new ApiError('project_not_found')
    return subject
  }
  async function rowOf(ref: string): Promise<{ subject: Subject; row: HostnameRow }> {
    const subject = await subjectOf(ref)
    const row = await store.hostname(subject.id)
    if (!row) throw noHostname()
    return { subject, row }
  }
  function refuseUnpaid(subject: Subject): void {
    if (!plansOf(subject).custom)
      throw new ApiError(
        'plan_limit',
        'The Free plan does not include custom hostnames. Upgrade the plan of the organization',
      )
    if (!subject.add_on) throw new ApiError('custom_domain_off')
  }

  /** The name passes to who has shown that it is theirs, unless its DNS names the one who has it as well. */
  async function takeOver(tx: Tx, subject: Subject, hostname: string, texts: readonly string[]) {
    const holder = await store.holder(tx, hostname)
    if (!holder || holder.id === subject.id) return
    if (texts.includes(looks.tokenOf(holder, { hostname, nonce: holder.nonce })))
      throw new ApiError('hostname_taken')
    await store.release(tx, holder.id, now())
    await record(tx, {
      organizationId: holder.organization_id,
      actor: null,
      action: 'domains.lost',
      target: `project:${holder.ref}`,
      change: { name: holder.name, before: { hostname } },
      origin: null,
    })
    await notify(tx, holder.ref)
  }

  async function lookNow({ ref }: By) {
    const { subject, row } = await rowOf(ref)
    return { subject, row, ...(await looks.look(subject, row)) }
  }

  return {
    async initialize(by: By, typed: string): Promise<void> {
      const read = readHostname(typed, names.own)
      if ('problem' in read) throw new ApiError('invalid_input', read.problem)
      requireTarget(names, by.ref)
      await audited(by, 'domains.initialize', async (tx, { id }) => {
        const subject = await subjectOf(by.ref, tx)
        refuseUnpaid(subject)
        const before = await store.hostname(id, tx)
        if (before?.status === 'active') throw new ApiError('hostname_active')
        // Begun again with the same name, what stands in its DNS stays right.
        if (before?.hostname === read.name) return {}
        const nonce = randomBytes(16).toString('hex')
        await store.initialize(tx, { project_id: id, hostname: read.name, nonce }, now())
        const change = before ? { before: { hostname: before.hostname } } : {}
        return { change: { ...change, after: { hostname: read.name } } }
      })
    },

    async reverify(by: By): Promise<void> {
      const { subject, row, found } = await lookNow(by)
      await missing.keep(subject, row, found)
    },

    async activate(by: By): Promise<void> {
      const { subject: before, row, found, texts } = await lookNow(by)
      await missing.keep(before, row, found)
      if (row.status === 'active') return
      if (!looks.isThere(found)) throw new ApiError('hostname_not_verified', lackOf(found))
      await audited(by, 'domains.activate', async (tx, { id }) => {
        const subject = await subjectOf(by.ref, tx)
        refuseUnpaid(subject)
        const current = await store.hostname(id, tx)
        // What was looked at is not the name any more, or was meant for another organization.
        if (!current || current.nonce !== row.nonce) throw new ApiError('conflict')
        if (!texts.includes(looks.tokenOf(subject, current))) throw new ApiError('conflict')
        if (current.status === 'active') return {}
        await takeOver(tx, subject, current.hostname, texts)
        if (!(await store.activate(tx, id, now()))) throw new ApiError('hostname_taken')
        return { change: { after: { hostname: current.hostname } } }
      })
    },

    remove: (by: By): Promise<unknown> =>
      audited(by, 'domains.remove', async (tx, { id }) => {
        const row = await store.hostname(id, tx)
        if (!row) throw noHostname()
        await store.remove(tx, id)
        return { change: { before: { hostname: row.hostname, status: row.status } } }
      }),

    /** Looks again at all names whose last look is a while ago. What is gone is said, and changes nothing else. */
    async round(): Promise<void> {
      await each(
        'custom hostnames',
        await store.due(new Date(now().getTime() - lookEveryMs)),
        ({ ref }) => ref,
        async ({ ref, ...row }) => {
          const subject = await store.subject(ref)
          if (!subject) return
          const { found } = await looks.look(subject, row)
          await missing.keep(subject, row, found)
        },
      )
    },
  }
}
export type Hostnames = ReturnType<typeof createHostnames>
