import { Play, Square } from 'lucide-react'
import { useEffect, useState } from 'react'
import { Button } from '../../../../ui/controls/Button.tsx'
import { durationText } from '../results/duration.ts'
import type { RunView } from './runs.ts'

type Props = {
  run: RunView | undefined
  disabledReason: string | undefined
  onRun: () => void
  onCancel: () => void
}

/** Runs the query; while it runs, how long it has, and Cancel in the same place. */
export function RunButton({ run, disabledReason, onRun, onCancel }: Props) {
  if (run?.state.phase !== 'running')
    return (
      <Button
        variant="primary"
        className="sql-run"
        icon={Play}
        keys="mod+enter"
        disabledReason={disabledReason}
        onClick={onRun}
      >
        Run
      </Button>
    )
  return (
    <>
      <Elapsed since={run.startedAt} />
      <Button className="sql-run" icon={Square} busy={run.cancel === 'asked'} onClick={onCancel}>
        Cancel
      </Button>
    </>
  )
}

/** Counts from `since` (performance.now()) on. What is quick shows nothing. */
function Elapsed({ since }: { since: number }) {
  const [ms, setMs] = useState(0)
  useEffect(() => {
    const timer = setInterval(() => setMs(performance.now() - since), 100)
    return () => clearInterval(timer)
  }, [since])
  return (
    <span className="t12 muted tn" role="timer" aria-label="Running for">
      {ms >= 300 && durationText(ms)}
    </span>
  )
}
