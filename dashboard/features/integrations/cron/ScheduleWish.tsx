import { useMutation, useQuery } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { assistant } from '#contract/assistant/assistant'
import { messageOf, q } from '../../../api/client.ts'
import { useDenials } from '../../../session/organization/permissions.ts'
import { useProject } from '../../../session/project/project.ts'
import { Button } from '../../../ui/controls/Button.tsx'
import { TextField } from '../../../ui/controls/TextField.tsx'
import { askSchedule } from './ask-schedule.ts'

type Props = {
  projectRef: string
  /** Of the database. */
  timezone: string
  onSchedule: (schedule: string) => void
}

/** A schedule from words, where there is a model to read them. */
export function ScheduleWish({ projectRef, timezone, onSchedule }: Props) {
  const [wish, setWish] = useState('')
  const { data: status } = useQuery(q(assistant.status, {}))
  const denial = useDenials(useProject(projectRef))(assistant.ask)
  const abort = useRef(new AbortController())
  const ask = useMutation({
    mutationFn: () => askSchedule(projectRef, wish.trim(), timezone, abort.current.signal),
    onSuccess: onSchedule,
  })
  // Nobody waits any more for what was asked in a panel that is closed.
  useEffect(() => {
    const asking = (abort.current = new AbortController())
    return () => asking.abort()
  }, [])
  if (!status?.configured || denial) return null
  const send = () => {
    if (wish.trim() && !ask.isPending) ask.mutate()
  }
  return (
    <div className="cron-wish">
      <TextField
        label="Or describe it"
        autoComplete="off"
        maxLength={500}
        placeholder="Every weekday at 7 in the morning"
        error={ask.error ? messageOf(ask.error) : undefined}
        value={wish}
        onChange={(event) => setWish(event.target.value)}
        onKeyDown={(event) => {
          if (event.key !== 'Enter') return
          // Enter in a field would send the whole form.
          event.preventDefault()
          send()
        }}
      />
      <Button size="form" busy={ask.isPending} disabled={!wish.trim()} onClick={send}>
        Write schedule
      </Button>
    </div>
  )
}
