import { useQuery, useSuspenseQuery, useMutation } from '@tanstack/react-query'
import { useDeferredValue, useState, useEffect, useRef } from 'react'
import { assistant } from '#contract/assistant/assistant'
import { cron, type CronJob } from '#contract/integrations/cron'
import { messageOf, q } from '../../../api/client.ts'
import { useDenials } from '../../../session/organization/permissions.ts'
import { useDatabaseCall } from '../../../session/project/database.ts'
import { projectQuery, useProject } from '../../../session/project/project.ts'
import { Button } from '../../../ui/controls/Button.tsx'
import { TextField } from '../../../ui/controls/TextField.tsx'
import { FormPanel } from '../../../ui/floats/FormPanel.tsx'
import { toast } from '../../../ui/floats/toast.ts'
import { exactTime } from '../../../ui/text/time.ts'
import { draftOf, draftProblems, draftText } from './job-draft.ts'
import { JobTarget } from './JobTarget.tsx'
import { ofJobs, previewQuery } from './queries.ts'
import { askSchedule, presets, wordsQuery } from './schedule-words.ts'

type Props = {
  projectRef: string
  /** The one that is changed. */
  job?: CronJob | undefined
  names: readonly string[]
  onClose: () => void
}

/** Makes a job, or changes one. */
export function JobPanel({ projectRef, job, names, onClose }: Props) {
  const [name, setName] = useState(job?.name ?? '')
  const [schedule, setSchedule] = useState(job?.schedule ?? '0 0 * * *')
  const { endpoint } = useSuspenseQuery(projectQuery(projectRef)).data
  const [draft, setDraft] = useState(() => draftOf(job?.command ?? '', endpoint))
  const [sent, setSent] = useState(false)
  const preview = useQuery(previewQuery(projectRef, useDeferredValue(schedule.trim())))
  const done = {
    changes: ofJobs,
    onSuccess: () => {
      toast.success(`${job ? nameOf(job) : name.trim()} is ${job ? 'changed' : 'created'}`)
      onClose()
    },
  }
  const create = useDatabaseCall(cron.create, done)
  const update = useDatabaseCall(cron.update, done)
  const taken = !job && names.includes(name.trim())
  const problems = {
    name:
      job || (name.trim() && !taken)
        ? undefined
        : taken
          ? 'There is a job with this name'
          : 'Enter a name',
    schedule:
      preview.data?.next.length === 0
        ? 'Enter five fields, such as 5 4 * * *, or 30 seconds'
        : undefined,
  }
  const wrong = draftProblems(draft)
  const send = () => {
    setSent(true)
    if (problems.name || problems.schedule || Object.keys(wrong).length > 0) return
    const command = draftText(draft, endpoint)
    if (job) update.mutate({ ref: projectRef, id: job.id, schedule, command })
    else create.mutate({ ref: projectRef, name, schedule, command })
  }
  const pending = create.isPending || update.isPending
  const shown = sent ? problems : { name: undefined, schedule: undefined }
  return (
    <FormPanel
      title={job ? `Change ${nameOf(job)}` : 'Create a job'}
      size="large"
      verb={job ? 'Save job' : 'Create job'}
      error={(create.error ?? update.error)?.message}
      pending={pending}
      onSubmit={send}
      onClose={onClose}
    >
      {!job && (
        <TextField
          label="Name"
          mono
          autoComplete="off"
          spellCheck={false}
          error={shown.name}
          value={name}
          onChange={(event) => setName(event.target.value)}
        />
      )}
      <TextField
        label="Schedule"
        mono
        autoComplete="off"
        spellCheck={false}
        help="Minute, hour, day of the month, month and day of the week; $ is the last day of the month. Or a number of seconds."
        error={shown.schedule}
        value={schedule}
        onChange={(event) => setSchedule(event.target.value)}
      />
      <div className="cron-presets">
        {presets.map(({ value, label }) => (
          <Button key={value} aria-pressed={schedule === value} onClick={() => setSchedule(value)}>
            {label}
          </Button>
        ))}
      </div>
      <ScheduleWish
        projectRef={projectRef}
        timezone={preview.data?.timezone ?? 'UTC'}
        onSchedule={setSchedule}
      />
      <NextRuns schedule={schedule} next={preview.data?.next} timezone={preview.data?.timezone} />
      <JobTarget
        projectRef={projectRef}
        username={job?.username ?? 'postgres'}
        draft={draft}
        problems={sent ? wrong : {}}
        change={(part) => setDraft((before) => ({ ...before, ...part }))}
      />
    </FormPanel>
  )
}

export const nameOf = ({ name, id }: Pick<CronJob, 'name' | 'id'>): string => name ?? `Job ${id}`

type NextRunsProps = {
  schedule: string
  next: readonly string[] | undefined
  timezone: string | undefined
}

/** What a schedule means: in words, and when it would be due. */
function NextRuns({ schedule, next, timezone }: NextRunsProps) {
  const { data: words } = useQuery(wordsQuery(schedule))
  return (
    <div className="cron-next" aria-live="polite">
      <b>{next?.length === 0 ? 'Never due' : (words ?? schedule)}</b>
      <span className="muted"> in {timezone ?? 'the time of the database'}</span>
      <ol>
        {next?.map((at) => (
          <li key={at} className="mono t12">
            {exactTime(new Date(at))}
          </li>
        ))}
      </ol>
    </div>
  )
}

type ScheduleWishProps = {
  projectRef: string
  /** Of the database. */
  timezone: string
  onSchedule: (schedule: string) => void
}

/** A schedule from words, where there is a model to read them. */
function ScheduleWish({ projectRef, timezone, onSchedule }: ScheduleWishProps) {
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
