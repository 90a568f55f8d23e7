import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Alert } from '../../../ui/Alert.tsx'
import { Button } from '../../../ui/controls/Button.tsx'
import { DriftPanel } from './DriftPanel.tsx'
import { driftQuery } from './queries.ts'

/** Says so when the structure is not what the recorded changes have left. */
export function DriftNote({ projectRef }: { projectRef: string }) {
  const { data: drift, error, refetch } = useQuery(driftQuery(projectRef))
  const [open, setOpen] = useState(false)
  if (error)
    return (
      <Alert
        variant="warning"
        title="Changes outside of migrations could not be checked"
        action={<Button onClick={() => void refetch()}>Try again</Button>}
      >
        {error.message}
      </Alert>
    )
  if (!drift || drift.total === 0) return null
  const things = drift.total === 1 ? '1 thing was' : `${drift.total} things were`
  return (
    <>
      <Alert
        variant="warning"
        title={`${things} changed outside of migrations`}
        action={<Button onClick={() => setOpen(true)}>Show</Button>}
      >
        Running the migrations elsewhere gives a different structure.
      </Alert>
      {open && <DriftPanel projectRef={projectRef} drift={drift} onClose={() => setOpen(false)} />}
    </>
  )
}
