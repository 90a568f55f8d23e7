import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { GitCommitHorizontal, History, Pencil } from 'lucide-react'
import type { ReactNode } from 'react'
import type { Output } from '#contract/endpoint'
import { migrations, type Migration } from '#contract/database/migrations'
import type { projectHome } from '#contract/projects/project-home'
import { deedOf } from '../../../session/organization/audit-words.ts'
import { databaseQuery } from '../../../session/project/database.ts'
import { useHasRoute } from '../../../session/organization/has-route.ts'
import { Card } from '../../../ui/Card.tsx'
import { EmptyState } from '../../../ui/EmptyState.tsx'
import { ErrorNote } from '../../../ui/ErrorNote.tsx'
import { Icon } from '../../../ui/Icon.tsx'
import { Skeleton } from '../../../ui/Skeleton.tsx'
import { Time } from '../../../ui/text/Time.tsx'
import { activityQuery } from './queries.ts'
import { recentOf } from './recent.ts'

/**
 * The newest changes: of the project itself, and of its database's structure. What stands below comes once it is known how many
 * there are.
 */
export function RecentCard({ projectRef, children }: { projectRef: string; children: ReactNode }) {
  const has = useHasRoute()
  const activity = useQuery(activityQuery(projectRef))
  const made = useQuery(databaseQuery(migrations.list, { ref: projectRef, limit: 6 }, 2000))
  const isWaiting = activity.isLoading || made.isLoading
  return (
    <>
      <Card
        title="Recent changes"
        padded={false}
        end={
          has('/project/$ref/database/migrations') && (
            <Link
              className="link t12"
              to="/project/$ref/database/migrations"
              params={{ ref: projectRef }}
            >
              Migrations
            </Link>
          )
        }
      >
        {activity.error && !activity.data ? (
          <ErrorNote
            what="recent changes"
            error={activity.error}
            onRetry={() => void activity.refetch()}
          />
        ) : activity.data && !isWaiting ? (
          <Changes activity={activity.data} made={made.data ?? []} />
        ) : (
          <ul className="recent" aria-busy>
            {[1, 2, 3].map((line) => (
              <li key={line}>
                <Skeleton width="60%" />
              </li>
            ))}
          </ul>
        )}
      </Card>
      {!isWaiting && children}
    </>
  )
}

type Props = { activity: Output<typeof projectHome.activity>; made: Migration[] }

function Changes({ activity, made }: Props) {
  const recent = recentOf(activity, made)
  if (recent.length === 0)
    return (
      <EmptyState icon={History} title="Nothing has changed yet">
        Changes that members make to this project and its database schema appear here.
      </EmptyState>
    )
  return (
    <ul className="recent">
      {recent.map(({ id, kind, what, by, at }) => (
        <li key={id}>
          <Icon of={kind === 'migration' ? GitCommitHorizontal : Pencil} size="s" />
          {kind === 'migration' ? (
            <span className="grow ell mono" title={`${by ?? 'Somebody'} applied ${what}`}>
              {what}
            </span>
          ) : (
            <span className="grow ell" title={sentence(by, what)}>
              {sentence(by, what)}
            </span>
          )}
          <span className="faint">
            <Time at={at} />
          </span>
        </li>
      ))}
    </ul>
  )
}

const sentence = (by: string | null, action: string) =>
  `${by ?? 'The platform'} ${deedOf(action) ?? `did ${action}`}`
