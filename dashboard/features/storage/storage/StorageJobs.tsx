import { useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { storageJobs, type StorageJob } from '#contract/storage/storage-jobs'
import { useCall, forget } from '../../../api/client.ts'
import { useDenials } from '../../../session/organization/permissions.ts'
import { useProject } from '../../../session/project/project.ts'
import { Button } from '../../../ui/controls/Button.tsx'
import { numberText } from '../../../ui/text/number.ts'
import { Progress } from '../../../ui/Progress.tsx'
import { toast } from '../../../ui/floats/toast.ts'
import { ofFiles, ofJobs, jobsQuery } from './queries.ts'

const verbs = { move: 'Moving', copy: 'Copying', remove: 'Deleting' }
const ends = { move: 'moved', copy: 'copied', remove: 'deleted' }

const whatOf = ({ bucket, from, items }: StorageJob) =>
  items > 1 ? `${numberText(items)} items in ${bucket}` : `${bucket}/${from}`.replace(/\/$/, '')
const count = (n: number) => `${numberText(n)} ${n === 1 ? 'file' : 'files'}`

/** The changes of folders that run, with a way to stop them; their ends are told. */
export function StorageJobs({ projectRef }: { projectRef: string }) {
  const { data } = useQuery(jobsQuery(projectRef))
  const why = useDenials(useProject(projectRef))
  const cancel = useCall(storageJobs.cancelJob, { onSettled: () => forget(...ofJobs) })
  useEffect(() => {
    for (const job of data ?? []) {
      if (job.status === 'RUNNING') unreported.add(job.id)
      else if (unreported.delete(job.id)) notify(job)
    }
  }, [data])
  const running = data?.filter(({ status }) => status === 'RUNNING') ?? []
  if (running.length === 0) return null
  return (
    <ul className="storage-jobs" aria-label="Changes that run">
      {running.map((job) => (
        <li key={job.id}>
          <span className="grow">
            {verbs[job.kind]} <span className="mono">{whatOf(job)}</span>: {count(job.done)} so far
            <Progress label={`${verbs[job.kind]} ${whatOf(job)}`} />
          </span>
          <Button
            disabledReason={why(storageJobs.cancelJob)}
            busy={cancel.isPending}
            onClick={() => cancel.mutate({ ref: projectRef, id: job.id })}
          >
            Stop
          </Button>
        </li>
      ))}
    </ul>
  )
}

function notify(job: StorageJob) {
  void forget(...ofFiles)
  const { kind, done, failed, status, failure } = job
  const what = `${count(done)} ${ends[kind]}`
  if (status === 'FAILED') toast.error(failure ?? 'The change failed', { description: what })
  else if (status === 'CANCELLED') toast.info(`Stopped: ${what}`)
  else if (failed > 0)
    toast.warning(what, {
      description: `${count(failed)} stayed, because the name is already taken.`,
    })
  else toast.success(what)
}

/**
 * Ids of jobs whose end is still to be told: those that were seen running, and those that were begun here, which may end
 * before anybody looks.
 */
const unreported = new Set<string>()

export async function begun({ id }: StorageJob): Promise<void> {
  unreported.add(id)
  await forget(...ofJobs)
}
