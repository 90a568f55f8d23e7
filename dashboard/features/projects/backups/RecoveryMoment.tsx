import { useState } from 'react'
import { backups as api, type Backup, type Backups } from '#contract/projects/backups'
import type { Project } from '#contract/projects/projects'
import { useDenials } from '../../../session/organization/permissions.ts'
import { Alert } from '../../../ui/Alert.tsx'
import { Button } from '../../../ui/controls/Button.tsx'
import { Card } from '../../../ui/Card.tsx'
import { Progress } from '../../../ui/Progress.tsx'
import {
  choiceAt,
  gapsOf,
  readMoment,
  wholeSpans,
  type Span,
  momentText,
  offsetText,
  ownZone,
  withoutUnderscores,
} from './moment.ts'
import { MomentFields } from './MomentFields.tsx'
import { RestoreDialog, useRestore, notRestorable } from './RestoreDialog.tsx'

type Props = { project: Project; data: Backups; onRestoring: () => void }

/** From when to when the database can be brought back, and to which moment of that it shall be. */
export function RecoveryMoment({ project, data, onRestoring }: Props) {
  const spans = wholeSpans(data.recovery_windows)
  const [first, last] = [spans[0], spans.at(-1)]
  if (!first || !last) return <FirstBackup newest={data.backups[0]} />
  return (
    <MomentCard
      project={project}
      spans={spans}
      first={first}
      last={last}
      onRestoring={onRestoring}
    />
  )
}

function FirstBackup({ newest }: { newest: Backup | undefined }) {
  return (
    <Card title="Restore to a point in time">
      <div className="form-stack">
        <p>
          Point in time recovery is on. A first backup starts within a minute. From then on, you can
          restore any point in time.
        </p>
        {newest?.status === 'FAILED' ? (
          <Alert variant="warning" title="The backup failed. Another one is made within an hour">
            {newest.failure}
          </Alert>
        ) : (
          <Progress label="The first backup is being made" />
        )}
      </div>
    </Card>
  )
}

type CardProps = Pick<Props, 'project' | 'onRestoring'> & {
  spans: readonly Span[]
  first: Span
  last: Span
}

function MomentCard({ project, spans, first, last, onRestoring }: CardProps) {
  const { ref, organization_slug: organizationSlug } = project
  const [choice, setChoice] = useState(() => choiceAt(last.to * 1000, ownZone()))
  const [asking, setAsking] = useState(false)
  const why = useDenials({ organizationSlug, projectRef: ref })
  const { toMoment } = useRestore(ref, onRestoring)
  const { unix, problem } = readMoment(choice, spans)
  const { zone } = choice
  return (
    <Card
      title="Restore to a point in time"
      footer={
        <Button
          size="form"
          variant="primary"
          disabledReason={why(api.pitr) ?? problem ?? notRestorable(project.status)}
          onClick={() => {
            toMoment.reset()
            setAsking(true)
          }}
        >
          Review restore
        </Button>
      }
    >
      <div className="form-stack">
        <dl className="defs">
          <dt>Earliest</dt>
          <dd>{momentText(first.from * 1000, zone)}</dd>
          <dt>Latest</dt>
          <dd>{momentText(last.to * 1000, zone)}</dd>
          {spans.length > 1 && (
            <>
              <dt>Gaps</dt>
              <dd>
                <ul className="backup-gaps">
                  {gapsOf(spans).map(({ from, to }) => (
                    <li key={from}>
                      {momentText(from * 1000, zone)} to {momentText(to * 1000, zone)}
                    </li>
                  ))}
                </ul>
              </dd>
            </>
          )}
        </dl>
        <MomentFields spans={spans} choice={choice} onChange={setChoice} />
      </div>
      {asking && unix !== undefined && (
        <RestoreDialog
          project={project}
          moment={
            <>
              <b>{momentText(unix * 1000, zone)}</b> in {withoutUnderscores(zone)}
              {zone !== 'UTC' &&
                ` (${offsetText(unix * 1000, zone)}), which is ${momentText(unix * 1000, 'UTC')} UTC`}
            </>
          }
          error={toMoment.error?.message}
          pending={toMoment.isPending}
          onConfirm={() => toMoment.mutate({ ref, recovery_time_target_unix: unix })}
          onClose={() => setAsking(false)}
        />
      )}
    </Card>
  )
}
