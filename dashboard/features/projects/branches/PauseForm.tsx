import { useState } from 'react'
import { pauseAfterHours, type BranchSettings } from '#contract/projects/branches'
import { Checkbox } from '../../../ui/controls/Checkbox.tsx'
import { Form, SaveCancel } from '../../../ui/controls/Form.tsx'
import { TextField } from '../../../ui/controls/TextField.tsx'
import { Card } from '../../../ui/Card.tsx'
import { toast } from '../../../ui/floats/toast.ts'
import { useBranchSettings } from './queries.ts'

type Props = { projectRef: string; denied: string | undefined; settings: BranchSettings }

const mostHours = 720

/** When branches that are not persistent are paused. */
export function PauseForm({ projectRef, denied, settings }: Props) {
  const saved = settings.pause_after_hours
  const [pauses, setPauses] = useState(saved !== null)
  const [hours, setHours] = useState(String(saved ?? pauseAfterHours))
  const save = useBranchSettings(() => toast.success('The pausing of branches is saved'))
  const chosen = pauses ? Number(hours) : null
  const isWhole =
    chosen === null || (Number.isInteger(chosen) && chosen >= 1 && chosen <= mostHours)
  const dirty = chosen !== saved

  function reset() {
    setPauses(saved !== null)
    setHours(String(saved ?? pauseAfterHours))
    save.reset()
  }
  return (
    <Form
      error={save.error?.message}
      pending={save.isPending}
      onSubmit={() => {
        if (dirty && isWhole && !denied)
          save.mutate({ ref: projectRef, ...settings, pause_after_hours: chosen })
      }}
    >
      <Card
        title="Pausing"
        footer={
          <SaveCancel dirty={dirty} pending={save.isPending} reason={denied} onCancel={reset} />
        }
      >
        <div className="form-stack">
          <Checkbox
            label="Pause branches that nobody uses"
            checked={pauses}
            disabled={denied !== undefined}
            onChange={(event) => setPauses(event.target.checked)}
          />
          {pauses && (
            <div className="branch-hours">
              <TextField
                label="After"
                unit="hours"
                inputMode="numeric"
                autoComplete="off"
                value={hours}
                disabled={denied !== undefined}
                error={isWhole ? undefined : `Enter a number from 1 to ${mostHours}`}
                help="Requests, connections and visits count as use. Persistent branches are never paused. A paused branch keeps its data and is resumed with one click."
                onChange={(event) => setHours(event.target.value)}
              />
            </div>
          )}
        </div>
      </Card>
    </Form>
  )
}
