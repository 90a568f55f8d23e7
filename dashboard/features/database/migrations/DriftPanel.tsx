import { useState } from 'react'
import { migrationTools, type Difference } from '#contract/database/migration-tools'
import type { Output } from '#contract/endpoint'
import { useDatabaseCall } from '../../../session/project/database.ts'
import { useDenials } from '../../../session/organization/permissions.ts'
import { useProject } from '../../../session/project/project.ts'
import { Alert } from '../../../ui/Alert.tsx'
import { Badge, type Tone } from '../../../ui/text/Badge.tsx'
import { Button } from '../../../ui/controls/Button.tsx'
import { ConfirmDialog } from '../../../ui/floats/ConfirmDialog.tsx'
import { SidePanel } from '../../../ui/floats/SidePanel.tsx'
import { toast } from '../../../ui/floats/toast.ts'
import { ofMigrations } from './queries.ts'

export type Drift = Output<typeof migrationTools.drift>

type Props = { projectRef: string; drift: Drift; onClose: () => void }

const tones: Record<Difference['change'], Tone> = {
  added: 'success',
  removed: 'danger',
  changed: 'warning',
}
const words: Record<Difference['change'], string> = {
  added: 'Added',
  removed: 'Removed',
  changed: 'Changed',
}

/** What was changed without a migration, one thing after the other, as it was and as it is. */
export function DriftPanel({ projectRef, drift, onClose }: Props) {
  const [asking, setAsking] = useState(false)
  const why = useDenials(useProject(projectRef))
  const accept = useDatabaseCall(migrationTools.accept, {
    changes: ofMigrations,
    onSuccess: () => {
      toast.success('The current structure is now expected')
      onClose()
    },
  })
  return (
    <SidePanel
      open
      size="xlarge"
      title="Changed outside of migrations"
      onClose={onClose}
      footer={
        <>
          <Button size="form" onClick={onClose}>
            Close
          </Button>
          <Button
            size="form"
            disabledReason={why(migrationTools.accept)}
            onClick={() => setAsking(true)}
          >
            Accept this structure
          </Button>
        </>
      }
    >
      <div className="form-stack">
        {drift.elsewhere.length > 0 && (
          <Alert variant="info" title="Another tool has recorded migrations since">
            {drift.elsewhere.slice(0, 20).join(', ')}. Their changes are among the differences
            below.
          </Alert>
        )}
        <ul className="differences">
          {drift.differences.map((one) => (
            <li key={`${one.kind} ${one.name}`}>
              <details>
                <summary>
                  <Badge tone={tones[one.change]}>{words[one.change]}</Badge>
                  <span className="muted">{one.kind}</span>
                  <span className="mono ell">{one.name}</span>
                </summary>
                <Lines difference={one} />
              </details>
            </li>
          ))}
        </ul>
        {drift.total > drift.differences.length && (
          <p className="help">{drift.total - drift.differences.length} more are not listed.</p>
        )}
      </div>
      <ConfirmDialog
        open={asking}
        danger={false}
        title="Accept this structure?"
        verb="Accept structure"
        error={accept.error?.message}
        pending={accept.isPending}
        onClose={() => setAsking(false)}
        onConfirm={() => accept.mutate({ ref: projectRef })}
      >
        <p>
          This changes nothing and creates no migration; it only hides these differences. Databases
          built from your migrations still lack them.
        </p>
      </ConfirmDialog>
    </SidePanel>
  )
}

/** Lines that only one side has are marked. */
function Lines({ difference: { before, after } }: { difference: Difference }) {
  const was = new Set(before?.split('\n'))
  const is = new Set(after?.split('\n'))
  const gone = [...was].filter((line) => !is.has(line))
  const added = [...is].filter((line) => !was.has(line))
  const kept = [...is].filter((line) => was.has(line))
  return (
    <div className="difference-lines mono">
      {gone.map((line) => (
        <del key={`-${line}`}>- {line}</del>
      ))}
      {added.map((line) => (
        <ins key={`+${line}`}>+ {line}</ins>
      ))}
      {kept.map((line) => (
        <span className="muted" key={line}>
          {'  '}
          {line}
        </span>
      ))}
    </div>
  )
}
