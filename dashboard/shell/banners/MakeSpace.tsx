import { Link } from '@tanstack/react-router'
import { releasedBelow, writableMinutes, type DiskUsage } from '#contract/projects/disk'
import type { Project } from '#contract/projects/projects'
import { useAllowWrites } from '../../modules/restriction/AllowWrites.tsx'
import { timeOf } from '../../session/project/disk.ts'
import { Button } from '../../ui/controls/Button.tsx'
import { bytesText } from '../../ui/text/number.ts'
import { Dialog } from '../../ui/floats/Dialog.tsx'

type Props = { project: Project; usage: DiskUsage; onClose: () => void }

/** The ways out of a database that is full, or nearly: less in it, or another plan. */
export function MakeSpace({ project, usage, onClose }: Props) {
  const { ref, organization_slug: slug, name } = project
  const { why, isPending, allow } = useAllowWrites(project)
  const { state, writable_until: until, limit_bytes: limit } = usage
  const isHeld = state === 'full' && until === null
  return (
    <Dialog
      open
      onClose={onClose}
      title={`Make space in ${name}`}
      footer={
        <>
          <Button size="form" onClick={onClose}>
            Close
          </Button>
          {isHeld && (
            <Button
              size="form"
              variant="primary"
              busy={isPending}
              disabledReason={why}
              onClick={allow}
            >
              Allow writes for {writableMinutes} minutes
            </Button>
          )}
        </>
      }
    >
      <p>
        Tables and indexes use {bytesText(usage.database_bytes)}. The log of the server, which does
        not count, uses {bytesText(usage.other_bytes)} more.
      </p>
      {isHeld && <p>Allow writes first: until then nothing can be deleted.</p>}
      {state === 'full' && until !== null && <p>Writes are allowed until {timeOf(until)}.</p>}
      <p>
        Delete or truncate what you no longer need, in the{' '}
        <Link className="link" to="/project/$ref/sql" params={{ ref }} onClick={onClose}>
          SQL editor
        </Link>{' '}
        for example. Then run <span className="mono">vacuum full</span> on the tables that rows were
        deleted from: only that frees their space.
      </p>
      <p>
        Or choose a larger plan on the{' '}
        <Link className="link" to="/org/$slug/billing" params={{ slug }} onClick={onClose}>
          billing page
        </Link>
        .
      </p>
      {state === 'full' && (
        <p>
          At {bytesText((limit ?? 0) * releasedBelow)} or below, the database accepts writes again
          automatically.
        </p>
      )}
    </Dialog>
  )
}
