import type { Job } from '#kit/jobs'
import type { RecordChange } from '../../organizations/audit/audit.ts'
import type { Tx } from '../../platform-database/database.ts'
import type { HostnameLook } from '../../platform-database/tables-projects.ts'
import type { Looks } from './looks.ts'
import type { DomainStore, HostnameRow, Subject } from './store.ts'

type MailText = { subject: string; lines: string[]; link: { label: string; url: string } }
type Deps = {
  store: Pick<DomainStore, 'transaction'>
  looks: Pick<Looks, 'keep'>
  record: RecordChange
  /** Mails those who look after an organization; returns the jobs that send it once `tx` is committed. */
  mail: (tx: Tx, organization: { id: string }, text: MailText) => Promise<Job[]>
  startJob: (job: Job) => Promise<void>
  /** The dashboard's own address, without a slash at its end. */
  url: string
}

/** Keeps what was found of a name's records. When one of an active name goes away its owners are told, once until all are back. */
export function createMissing({ store, looks, record, mail, startJob, url }: Deps) {
  const text = ({ ref, name }: Subject, hostname: string): MailText => ({
    subject: `DNS records of ${hostname} are missing`,
    lines: [
      `A DNS record of ${hostname}, the custom hostname of the project ${name}, is gone or has another value.`,
      'Requests that still reach this installation are answered, but its certificate is not renewed, and another project can take the hostname once the DNS says so.',
      'Restore the records, or delete the hostname from the project.',
    ],
    link: { label: 'Open custom domains', url: `${url}/project/${ref}/settings/custom-domains` },
  })

  return {
    async keep(subject: Subject, row: HostnameRow, found: HostnameLook): Promise<void> {
      const jobs = await store.transaction(async (tx) => {
        const { isNewlyFailing } = await looks.keep(tx, row, found)
        if (!isNewlyFailing) return []
        await record(tx, {
          organizationId: subject.organization_id,
          actor: null,
          action: 'domains.records-missing',
          target: `project:${subject.ref}`,
          change: { name: subject.name, hostname: row.hostname, records: found },
          origin: null,
        })
        return mail(tx, { id: subject.organization_id }, text(subject, row.hostname))
      })
      for (const job of jobs) await startJob(job)
    },
  }
}
export type Missing = ReturnType<typeof createMissing>
