import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { Circle, CircleCheck } from 'lucide-react'
import { useEffect, useState } from 'react'
import { useHasRoute } from '../../../session/organization/has-route.ts'
import { Card } from '../../../ui/Card.tsx'
import { Icon } from '../../../ui/Icon.tsx'
import { Meter } from '../../../ui/Meter.tsx'
import { Skeleton } from '../../../ui/Skeleton.tsx'
import { overviewQuery, usageQuery } from './queries.ts'
import { doneOf, type Step, type StepId, stepsOf } from './steps.ts'

const keyOf = (ref: string) => `plinth.steps-done.${ref}`

/** Whether all steps of a project were done when somebody looked last: it is known before the facts are there again. */
const wasDone = (ref: string): boolean => localStorage.getItem(keyOf(ref)) !== null

function rememberDone(ref: string, isDone: boolean): void {
  if (isDone) localStorage.setItem(keyOf(ref), 'true')
  else localStorage.removeItem(keyOf(ref))
}

type Place = { route: string; to: string }

/** Where each is done; the first page that this build has. */
const places = (base: string): Record<StepId, Place[]> => ({
  table: [{ route: '/project/$ref/editor/new', to: `${base}/editor/new` }],
  row: [{ route: '/project/$ref/editor', to: `${base}/editor` }],
  policy: [
    { route: '/project/$ref/auth/policies', to: `${base}/auth/policies` },
    { route: '/project/$ref/database/policies', to: `${base}/database/policies` },
    { route: '/project/$ref/sql', to: `${base}/sql` },
  ],
  key: [{ route: '/project/$ref', to: `${base}?showConnect=true&connectTab=frameworks` }],
})

const nothing = { tables: 0, has_rows: false, policies: 0, keyUsedAt: null }

/**
 * The way from an empty project to one that an app uses. It ticks itself off. Where all was done before the page was opened
 * it is not there; it neither comes nor goes while somebody reads what stands below.
 */
export function StepsCard({ projectRef }: { projectRef: string }) {
  const has = useHasRoute()
  const { data: overview, isPending: readsFacts } = useQuery(overviewQuery(projectRef))
  const { data: usage, isPending: readsUse } = useQuery(usageQuery(projectRef, '24h'))
  const known = overview && usage && { ...overview, keyUsedAt: usage.key_used_at }
  const steps = stepsOf(known ?? nothing)
  const done = doneOf(steps)
  const isDone = known && done === steps.length
  const [shown] = useState(() => !(isDone ?? wasDone(projectRef)))
  useEffect(() => {
    if (isDone !== undefined) rememberDone(projectRef, isDone)
  }, [projectRef, isDone])
  if (!shown) return null
  const to = places(`/project/${projectRef}`)
  return (
    <Card
      title="Getting started"
      padded={false}
      end={
        <span className="row t12 muted">
          <span className="steps-meter">
            <Meter percent={(done / steps.length) * 100} label="Getting started" tone="success" />
          </span>
          {known ? `${done} of ${steps.length}` : <Skeleton width={32} />}
        </span>
      }
    >
      <ul
        className="steps"
        aria-label="Getting started"
        aria-busy={readsFacts || readsUse || undefined}
      >
        {steps.map((step) => (
          <li key={step.id} className={step.done ? 'done' : undefined}>
            <StepLine
              step={step}
              isKnown={known !== undefined}
              to={to[step.id].find(({ route }) => has(route))?.to}
            />
          </li>
        ))}
      </ul>
    </Card>
  )
}

type LineProps = { step: Step; isKnown: boolean; to: string | undefined }

function StepLine({ step: { name, about, done }, isKnown, to }: LineProps) {
  const inside = (
    <>
      <Icon of={done ? CircleCheck : Circle} />
      <span className="grow">
        <span className="med">{name}</span>
        {isKnown && <span className="sr">{done ? ', done' : ', to do'}</span>}
        <span className="choice-help">{about}</span>
      </span>
    </>
  )
  // What is done needs no way to it.
  return to === undefined || done ? (
    <span className="step">{inside}</span>
  ) : (
    <Link className="step" to={to}>
      {inside}
    </Link>
  )
}
