import type { Secrets } from '#kit/secrets'
import type { HostnameLook } from '../../platform-database/tables-projects.ts'
import type { Tx } from '../../platform-database/database.ts'
import type { InstallationNames } from './addresses.ts'
import type { LookAt } from './dns.ts'
import { txtName } from './shape.ts'
import type { DomainStore, HostnameRow, Subject } from './store.ts'

type Deps = {
  store: DomainStore
  names: InstallationNames
  secrets: Pick<Secrets, 'derive'>
  lookAt: LookAt
  now: () => Date
}

const isThere = ({ cname, txt }: HostnameLook) => cname.state === 'found' && txt.state === 'found'
/** That nobody could tell says nothing about a name. */
const isUnknown = ({ cname, txt }: HostnameLook) =>
  cname.state === 'unknown' || txt.state === 'unknown'

/** Looks at the records of custom hostnames, and keeps what they say. */
export function createLooks({ store, names, secrets, lookAt, now }: Deps) {
  /** It is good for this name of this project in this organization, and for this beginning only. */
  const tokenOf = (
    { ref, organization_id }: Pick<Subject, 'ref' | 'organization_id'>,
    { hostname, nonce }: Pick<HostnameRow, 'hostname' | 'nonce'>,
  ) => {
    const purpose = `custom hostname ${hostname} of project ${ref} in organization ${organization_id} ${nonce}`
    return `plinth-verification=${secrets.derive(purpose).slice(0, 40)}`
  }

  async function look(subject: Subject, row: HostnameRow) {
    const target = names.targetOf(subject.ref)
    // A name of this installation that is not public any more is found nowhere.
    const { look: found, texts } = await lookAt({
      hostname: row.hostname,
      target: target ?? '',
      txtName: txtName(row.hostname),
      txtValue: tokenOf(subject, row),
    })
    return { found, texts }
  }

  return {
    tokenOf,
    look,
    isThere,

    /** Writes down what was found. An active name stays active; since when it lacks a record is said. */
    async keep(
      tx: Tx,
      row: HostnameRow,
      found: HostnameLook,
    ): Promise<{ isNewlyFailing: boolean }> {
      const at = now()
      const isActive = row.status === 'active'
      const failing = isUnknown(found) ? row.failing_since : isThere(found) ? null : at
      const failing_since = isActive ? failing && (row.failing_since ?? failing) : null
      const status = isActive
        ? row.status
        : isUnknown(found)
          ? row.status
          : isThere(found)
            ? ('verified' as const)
            : ('initiated' as const)
      const to = { status, checked_at: at, failing_since, looked: found }
      const isKept = await store.looked(tx, row, to)
      return { isNewlyFailing: isKept && failing_since !== null && row.failing_since === null }
    },
  }
}
export type Looks = ReturnType<typeof createLooks>
