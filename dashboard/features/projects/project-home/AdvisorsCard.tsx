import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { Gauge, ShieldAlert } from 'lucide-react'
import { advisors } from '#contract/observability/advisors'
import { q } from '../../../api/client.ts'
import { Badge } from '../../../ui/text/Badge.tsx'
import { Card } from '../../../ui/Card.tsx'
import { ErrorNote } from '../../../ui/ErrorNote.tsx'
import { Icon } from '../../../ui/Icon.tsx'
import { Skeleton } from '../../../ui/Skeleton.tsx'
import { findingsOf } from './findings.ts'

const kinds = [
  { id: 'security', category: 'SECURITY', name: 'Security', icon: ShieldAlert },
  { id: 'performance', category: 'PERFORMANCE', name: 'Performance', icon: Gauge },
] as const

/** How many findings each advisor has, without those that were put aside. */
export function AdvisorsCard({ projectRef }: { projectRef: string }) {
  const lints = useQuery(q(advisors.lints, { ref: projectRef }))
  const aside = useQuery(q(advisors.exceptions, { ref: projectRef }))
  return (
    <Card title="Advisors" padded={false}>
      {lints.error && !lints.data ? (
        <ErrorNote what="findings" error={lints.error} onRetry={() => void lints.refetch()} />
      ) : (
        <ul className="recent">
          {kinds.map(({ id, category, name, icon }) => {
            const found =
              lints.data && findingsOf(lints.data.lints, aside.data?.exceptions ?? [], category)
            return (
              <li key={id}>
                <Icon of={icon} size="s" />
                <Link className="grow" to={advisorOf(projectRef, id)}>
                  {name}
                </Link>
                {found ? (
                  <>
                    {found.errors > 0 && (
                      <Badge tone="danger">{amount(found.errors, 'error')}</Badge>
                    )}
                    {found.warnings > 0 && (
                      <Badge tone="warning">{amount(found.warnings, 'warning')}</Badge>
                    )}
                    {found.errors + found.warnings === 0 && (
                      <span className="faint">Nothing found</span>
                    )}
                  </>
                ) : (
                  <Skeleton width="56px" />
                )}
              </li>
            )
          })}
        </ul>
      )}
    </Card>
  )
}

/** A text: the page is there only when this card is. */
const advisorOf = (ref: string, id: string): string => `/project/${ref}/advisors/${id}`

const amount = (n: number, what: string) => `${n} ${what}${n === 1 ? '' : 's'}`
