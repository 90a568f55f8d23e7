import { useSuspenseQuery } from '@tanstack/react-query'
import { DatabaseBackup } from 'lucide-react'
import { useState, useEffect, useRef } from 'react'
import { backups as api, type Backup, type Backups } from '#contract/projects/backups'
import { useCall } from '../../../api/client.ts'
import { useDenials } from '../../../session/organization/permissions.ts'
import { useDisabledFeatures } from '../../../session/identity/profile.ts'
import { projectQuery } from '../../../session/project/project.ts'
import { Button } from '../../../ui/controls/Button.tsx'
import { Card } from '../../../ui/Card.tsx'
import { EmptyState } from '../../../ui/EmptyState.tsx'
import { counted } from '../../../ui/text/number.ts'
import { Table } from '../../../ui/lists/Table.tsx'
import { exactTime } from '../../../ui/text/time.ts'
import { toast } from '../../../ui/floats/toast.ts'
import { useNow } from '../../../ui/text/Time.tsx'
import { CodeBlock } from '../../../ui/text/CodeBlock.tsx'
import { backupColumns, type BackupAct } from './backup-columns.tsx'
import { ofBackups } from './queries.ts'
import {
  RestoreDialog,
  useRestore,
  cloneFeature,
  notInPlan,
  notRestorable,
} from './RestoreDialog.tsx'
import { WithBackups, PlanNeeded, ProjectNote } from './WithBackups.tsx'
import { clockText, takenAt, untilText, basisText } from './words.ts'
import '../../../ui/lists/list-page.css'
import './backups.css'

/** Says when a backup that was being made is through. */
function useTold(backups: readonly Backup[]): void {
  const pending = useRef<ReadonlySet<number>>(new Set())
  useEffect(() => {
    for (const backup of backups) {
      if (!pending.current.has(backup.id)) continue
      const description = basisText(backup)
      if (backup.status === 'COMPLETED') toast.success('Backup completed', { description })
      if (backup.status === 'FAILED') toast.error('The backup failed', { description })
    }
    pending.current = new Set(
      backups.filter(({ status }) => status === 'PENDING').map(({ id }) => id),
    )
  }, [backups])
}

type Props = {
  projectRef: string
  /** The project is being restored: its own page says how that goes. */
  onRestoring: () => void
  onClone: (backup: number) => void
}

/** /project/{ref}/database/backups/scheduled: what there is to go back to. */
export function ScheduledBackups(props: Props) {
  return (
    <WithBackups projectRef={props.projectRef}>
      {(data) => <List {...props} data={data} />}
    </WithBackups>
  )
}

function List({ projectRef, data, onRestoring, onClone }: Props & { data: Backups }) {
  const { data: project } = useSuspenseQuery(projectQuery(projectRef))
  const { organization_slug: organizationSlug, status } = project
  const why = useDenials({ organizationSlug, projectRef })
  const off = useDisabledFeatures()
  const now = useNow()
  const [asked, setAsked] = useState<Backup>()
  const { toBackup } = useRestore(projectRef, onRestoring)
  useTold(data.backups)
  const make = useCall(api.make, {
    changes: ofBackups,
    onError: (error) =>
      toast.error('The backup could not be started', { description: error.message }),
  })
  const download = useCall(api.download, {
    onSuccess: ({ fileUrl }) => openFile(fileUrl),
    onError: (error) =>
      toast.error('The backup cannot be downloaded', { description: error.message }),
  })
  const act = (kind: BackupAct, backup: Backup) => {
    if (kind === 'restore') {
      toBackup.reset()
      setAsked(backup)
    } else if (kind === 'clone') onClone(backup.id)
    else download.mutate({ ref: projectRef, id: backup.id })
  }
  if (data.retention_days === 0 && data.backups.length === 0)
    return (
      <PlanNeeded slug={organizationSlug} title="Backups are part of the Pro plan">
        A backup of the whole database is made every day and verified. Pro keeps it for 7 days, Team
        for 14.
      </PlanNeeded>
    )
  const running = data.backups.some((backup) => backup.status === 'PENDING')
  const plan = notInPlan(data)
  return (
    <>
      <ProjectNote project={project} />
      <Card
        title="Backups"
        padded={false}
        end={
          <Button
            variant="primary"
            icon={DatabaseBackup}
            busy={make.isPending}
            disabledReason={
              why(api.make) ||
              plan ||
              (status !== 'ACTIVE_HEALTHY' && 'Only a running database can be backed up') ||
              (running && 'A backup is already running')
            }
            onClick={() => make.mutate({ ref: projectRef })}
          >
            Back up now
          </Button>
        }
      >
        <p className="backup-rule muted">
          <Rule data={data} now={now} />
        </p>
        <Table
          label="Backups"
          rowHeight={60}
          columns={backupColumns({
            now,
            onAct: act,
            why: {
              restore: why(api.restore) ?? plan ?? notRestorable(status),
              download: data.downloads ? why(api.download) : false,
              clone: off(cloneFeature) ? false : (why(api.clone) ?? plan),
            },
          })}
          rows={data.backups}
          keyOf={({ id }) => String(id)}
          empty={
            <EmptyState icon={DatabaseBackup} title="No backups yet">
              The first scheduled backup starts soon. To have one sooner, back up now.
            </EmptyState>
          }
        />
      </Card>
      <AboutBackups downloads={data.downloads} />
      {asked && (
        <RestoreDialog
          project={project}
          moment={<b>{clockText(takenAt(asked))}</b>}
          error={toBackup.error?.message}
          pending={toBackup.isPending}
          onConfirm={() => toBackup.mutate({ ref: projectRef, id: asked.id })}
          onClose={() => setAsked(undefined)}
        />
      )}
    </>
  )
}

/** How long backups are kept, and when the next one comes. */
function Rule({
  data: { retention_days: days, next_at: next },
  now,
}: {
  data: Backups
  now: Date
}) {
  if (days === 0)
    return 'The plan of this organization includes no backups: no new ones are made, and these stay until they expire.'
  return (
    <>
      A backup is made every day and kept for {counted(days, 'day')}.{' '}
      {next === null ? (
        'None is due while the project does not run.'
      ) : (
        <>
          The next is due{' '}
          <time dateTime={next} title={exactTime(new Date(next))}>
            {untilText(next, now)}
          </time>
          .
        </>
      )}
    </>
  )
}

/** The server names the file and sends it as one to keep, so the page stays. */
function openFile(address: string): void {
  const link = document.createElement('a')
  link.href = address
  link.download = ''
  link.click()
}

const commands = `mkdir -m 700 restored
tar -xzf backup.tar.gz -C restored
postgres -D restored -p 5433 &
psql -h 127.0.0.1 -p 5433 -U postgres`

/** What a backup is, what it is not, and what to do with a file of one where there are files. */
function AboutBackups({ downloads }: Pick<Backups, 'downloads'>) {
  return (
    <Card title="What a backup holds">
      <div className="form-stack">
        <p>
          Backups are physical: a copy of the whole Postgres server, with every schema, role and
          setting of the database. Each is started on its own server and read to the end. It counts
          as completed only if its rows match.
        </p>
        <p>
          They contain only the database. They include the rows that name storage files, but not the
          files themselves, edge functions, keys or settings of the project.
        </p>
        {downloads ? (
          <>
            <p>
              A download is a data directory for Postgres 17, with the WAL that it needs. Unpack it,
              and Postgres of that version starts from it directly, with the passwords of that time.
              It is not a list of SQL statements.
            </p>
            <CodeBlock code={commands} language="text" what="commands" />
          </>
        ) : (
          <p>They are kept in a bucket in many parts, so none can be downloaded as a file.</p>
        )}
      </div>
    </Card>
  )
}
