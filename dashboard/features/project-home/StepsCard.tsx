import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { Circle, CircleCheck } from 'lucide-react'
import { useHasRoute } from '../../session/has-route.ts'
import { Card } from '../../ui/Card.tsx'
import { Icon } from '../../ui/Icon.tsx'
import { Meter } from '../../ui/Meter.tsx'
import { overviewQuery, usageQuery } from './queries.ts'
import { doneOf, type Step, type StepId, stepsOf } from './steps.ts'

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

/** The way from an empty project to one that an app uses. It ticks itself off, and goes when all is done. */
export function StepsCard({ projectRef }: { projectRef: string }) {
  const has = useHasRoute()
  const { data: overview } = useQuery(overviewQuery(projectRef))
  const { data: usage } = useQuery(usageQuery(projectRef, '24h'))
  if (!overview || !usage) return null
  const steps = stepsOf({ ...overview, keyUsedAt: usage.key_used_at })
  const done = doneOf(steps)
  if (done === steps.length) return null
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
          {done} of {steps.length}
        </span>
      }
    >
      <ul className="steps" aria-label="Getting started">
        {steps.map((step) => (
          <li key={step.id} className={step.done ? 'done' : undefined}>
            <StepLine step={step} to={to[step.id].find(({ route }) => has(route))?.to} />
          </li>
        ))}
      </ul>
    </Card>
  )
}

function StepLine({ step: { name, about, done }, to }: { step: Step; to: string | undefined }) {
  const inside = (
    <>
      <Icon of={done ? CircleCheck : Circle} />
      <span className="grow">
        <span className="med">{name}</span>
        <span className="sr">{done ? ', done' : ', to do'}</span>
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
